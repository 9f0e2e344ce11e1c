/**
 * The form of a seat as the server sends it: which fields it has as they stand, what is missing, and the answer they make up.
 *
 * Pure: values in (by field key, as strings), the exact wire form of the answer out. It knows no ask and no move.
 */

/** Whether a condition of the form holds; one that is not there does. */
function seatHolds(condition, values) {
  return !condition || condition.values.includes(values[condition.key]);
}

/**
 * The groups of a form as they stand, each field with a label and whether it may be left out.
 * @param {object} form as the server sends it
 * @param {Object<string, string>} values
 * @returns {{legend: string, fields: object[]}[]}
 */
export function seatGroups(form, values) {
  return form.groups.filter((group) => seatHolds(group.shown, values)).map((group) => ({
    ...group,
    fields: group.fields.filter((field) => seatHolds(field.shown, values)).flatMap((field) => seatFlat(field, values)),
  }));
}

/** A group inside a move, field by field: it may be left out as a whole, but not by half. */
function seatFlat(field, values) {
  const free = (one) => Boolean(one.optional) && !(one.needed && seatHolds(one.needed, values));
  if (field.kind !== "group") return [{ ...field, label: field.asks, optional: free(field) }];
  const begun = !free(field) || field.parts.some((part) => seatSaid(values[part.key]));
  return field.parts.map((part) => ({
    ...part, label: `${field.asks} ${part.asks}`, optional: free(part) || !begun,
  }));
}

/** What is filled in before anybody types. */
export function seatStart(form) {
  const fields = form.groups.flatMap((group) => group.fields).flatMap((field) => field.parts ?? [field]);
  const all = form.moves ? [form.moves, ...fields] : fields;
  return Object.fromEntries(all.filter((field) => field.start).map((field) => [field.key, field.start]));
}

/** Labels of the fields that still need something. */
export function seatMissing(groups, values) {
  const fields = groups.flatMap((group) => group.fields);
  return fields.filter((field) => !field.optional && !seatSaid(values[field.key])).map((field) => field.label);
}

/** Line breaks are refused by the rules: a person may type them, so they become spaces. */
function seatSaid(value) {
  return String(value ?? "").replace(/\s+/g, " ").trim();
}

/**
 * The answer on the wire; what was left out is left out. The terminal does the same (`form_answers.py`).
 * @param {object} form as the server sends it
 * @param {Object<string, string>} values by key
 */
export function seatAnswer(form, values) {
  const answer = {};
  if (form.moves) seatGive(answer, form.moves, values);
  for (const group of form.groups.filter((one) => seatHolds(one.shown, values))) {
    for (const fixed of group.fixed ?? []) if (seatHolds(fixed.shown, values)) seatPut(answer, fixed.place, fixed.value);
  }
  for (const field of seatGroups(form, values).flatMap((group) => group.fields)) seatGive(answer, field, values);
  return answer;
}

function seatGive(answer, field, values) {
  const said = seatSaid(values[field.key]);
  if (!said) return;
  const given = seatWire(field, said);
  (field.places ?? []).forEach((place, n) => seatPut(answer, place, given[n]));
}

/** What goes to each place of a field. */
function seatWire(field, said) {
  const same = (value) => (field.places ?? []).map(() => value);
  if (field.kind === "falsifier") return [said.slice(0, said.lastIndexOf("#")), Number(said.slice(said.lastIndexOf("#") + 1))];
  if (field.kind === "chance") return same(Number(said));
  return same(field.kind === "flag" ? said === "true" : said);
}

function seatPut(answer, place, value) {
  let held = answer;
  for (const [n, step] of place.slice(0, -1).entries()) {
    held[step] ??= typeof place[n + 1] === "number" ? [] : {};
    held = held[step];
  }
  held[place.at(-1)] = value;
}
