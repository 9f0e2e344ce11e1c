"""Debates over HTTP, watched while they run (API-3), and the page that shows them: `crux serve`."""
