"""What secrets look like: shapes of keys, names that say secret, values that are none, their places in commands."""

import re
from enum import StrEnum
from typing import Final

NAME_MAX: Final = 64
COMMAND_MAX: Final = 2_000

# Groups are made atomic with (?>…): before Python 3.11.5 a possessive quantifier on a group went wrong.

# ---- shapes that are secret wherever they stand

EDGE: Final = "<edge>"  # an escaped line end in JSON leaves a letter right before a key, which is no word with it
PREFIXES: Final = (
    "ghp_ gho_ ghs_ ghu_ ghr_ github_pat_ glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glimt- glagent- sk-ant- "
    "sk-proj- sk-svcacct- AIza ya29. GOCSPX- pypi-AgE dop_v1_ doo_v1_ dor_v1_ HRKU- AGE-SECRET-KEY-1 dckr_pat_ shpat_ "
    "shpca_ shppa_ shpss_ sq0atp- sq0csp- lin_api_ NRAK- PMAK- rubygems_ xkeysib- sntrys_ sntryu_ ATATT3"
)
SHORT_PREFIXES: Final = "sk_live_ sk_test_ rk_live_ rk_test_ whsec_ npm_ hf_ gsk_ ntn_ figd_ glsa_ dapi"
LOUD_PREFIXES: Final = "sk- hvs. hvb. hvr. pul- xai- pplx- tskey-"  # words begin so as well, but hold no digit
SHAPES: Final = (
    (PREFIXES, r"[\w-]{10,}(?:[.=][\w-]{8,})*"),
    (SHORT_PREFIXES, EDGE + r"[A-Za-z0-9+/=]{16,}"),
    (LOUD_PREFIXES, EDGE + r"(?=[\w-]{0,64}[A-Z0-9])[\w-]{16,}"),
    ("xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xapp-", r"[\w-]{8,}"),
    ("AKIA ASIA ABIA ACCA AGPA AIDA AROA ANPA", EDGE + r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("AKIA ASIA", r"[A-Z0-9]{16}[^\n]{0,60}?[\s\"',:=]([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])"),  # its secret half
    ("FwoGZXIvYXdz FQoGZXIvYXdz IQoJb3JpZ2lu", r"[A-Za-z0-9/+=]{16,}"),
    ("SG.", EDGE + r"[\w-]{16,100}+\.[\w-]{16,}"),
    ("SK AC", EDGE + r"[0-9a-f]{32}(?![0-9A-Za-z])"),
    ("key-", EDGE + r"[0-9a-zA-Z]{32}(?![0-9A-Za-z])"),
    ("eyJ", EDGE + r"[\w-]{8,}+\.[\w-]{6,}+(?:\.[\w-]*+){0,3}"),
    ("s.", EDGE + r"(?=[A-Za-z]{0,24}[0-9])(?=[a-z0-9]{0,24}[A-Z])[A-Za-z0-9]{24}(?![A-Za-z0-9])"),
    ("1//0", EDGE + r"[\w-]{24,}"),
    ("hooks.slack.com/", r"(?:services|workflows|triggers)/([^\s\"'<>`\\]{8,})"),
    ("discord.com/api/webhooks/ discordapp.com/api/webhooks/", r"([^\s\"'<>`\\]{8,})"),
)


def compile_shape(prefix: str, rest: str) -> re.Pattern[str]:
    """The prefix comes first, so that the edge before it is looked for only where it stands."""
    escaped = re.escape(prefix)
    edge = rf"(?:(?<![A-Za-z0-9]{escaped})|(?<=\\[nrt]{escaped}))"
    return re.compile(escaped + rest.replace(EDGE, edge), re.ASCII)


SHAPE: Final = tuple((prefix, compile_shape(prefix, rest)) for prefixes, rest in SHAPES for prefix in prefixes.split())
BOTS: Final = (  # Discord and Telegram: what comes before the mark is read back from it
    (".", re.compile(r"\.(?<=[\w-]{22}\.)[\w-]{6}\.[\w-]{27,}", re.ASCII)),
    (":", re.compile(r":(?<=[0-9]{8}:)[\w-]{34,36}(?![\w-])", re.ASCII)),
)
KEY_BEGIN: Final = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
KEY_END: Final = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
KEY_LINES: Final = re.compile(
    r"(?>(?:(?>(?:\\*[nr]|[\s\"'>+,-])*)(?:Proc-Type:[^\n\\]*+|DEK-Info:[^\n\\]*+|[A-Za-z0-9+/=]{16,}+))*)"
    r"(?>(?:(?>(?:\\++[nr]|[\r\n])+)[ \t]*+[A-Za-z0-9+/=]++(?=[ \t]*+(?:[\r\n\"'\\]|\Z)))*)"
)
KEY_MAX: Final = 20_000
KEY_LETTERS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=\r\n\\")

# ---- where a value begins and ends

OPENING: Final = re.compile(r"(?:[nNbBrRfFuU]{1,2}|\$)?(\\{0,40})([\"'`])")
INSIDE: Final = {
    '"': re.compile(r"(?>(?:[^\"\\\n]|\\[^\n]|\"\"(?=[^\s,;:)}\]]))*)"),
    "'": re.compile(r"(?>(?:[^'\\\n]|\\[^\n]|'\"'\"'|'\\''|''(?=[^\s,;:)}\]]))*)"),
    "`": re.compile(r"[^`\n]*+"),
}
PLAIN: Final = re.compile(
    r"""(?>(?:
      \\\\ | \\(?![nrt"'`\\\n]|u00)
    | [^\s"'`\\,;&|)\]}<>]
    | [,;&|](?![\s,;&|"'`\\]|\Z|[\w.-]{1,40}[ ]?[=:])
    | [)\]}](?![\s,;.)\]}"'`\\]|\Z)
    | >(?![\s&]|\Z) | <(?![/<])
    | ["'`](?=\w)
    )+)""",
    re.VERBOSE,
)
LINE_REST: Final = re.compile(r"[^\n\r]{0,400}")
VALUE_MAX: Final = 4_000
ANOTHER: Final = re.compile(r"[,;]\s|[\w.-]\s*[=:]|\\n|[\"'`{}\[\]]")

# ---- names that say secret

WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
KEYS: Final = (
    "api access secret private signing encryption decryption master account shared auth service ssh license deploy "
    "webhook subscription functions admin app client server jwt hmac rsa aes storage session cipher root bot"
)
STRONG_NAME: Final = re.compile(
    r"password(?!less)|passwd|passphrase|passcode|secret(?!ar|ion)|token(?!s|i[sz])|credential|apikey|authkey"
    r"|(?:^|_)(?:pwd|pass|pw|creds?|jwt|psk|bearer|mnemonic|requirepass|storepass|keypass|masterauth)(?:_|$)"
    r"|(?:db|pg|my|sql|smtp|ftp|user|root|admin|mail|redis|ssh|ldap|proxy)(?:pass|pwd)(?:_|$)"
    rf"|(?:^|_)(?:{'|'.join(KEYS.split())})_?key(?:_|$)"
)
WEAK_LAST: Final = frozenset(
    "auth authorization sig signature session sessionid sid cookie key tokens salt otp".split()
)
NEUTRAL_KEYS: Final = frozenset(
    "primary foreign public cache sort partition row group index unique object host map dict lookup routing hash range "
    "message translation idempotency event config".split()
)
DESCRIBING: Final = frozenset(
    "min max length len size count counts ttl expiry expires expire expired expiration in at on by file files path dir "
    "directory folder name names id ids url uri endpoint host port field fields policy type types format limit limits "
    "age enabled disabled required rotation timeout algorithm algo regex pattern header headers prompt hint label "
    "lifetime version store manager provider method mode scheme class help stdin arn ref refs validator validators "
    "hashers strength usage used error errors message status valid invalid index position json yaml yml txt py js ts "
    "go rb java env pem sh md log lock toml ini html css rs cpp tsx jsx sql test tests spec".split()
)
ASKING: Final = frozenset("no ask prompt show print with use without reset force require get list".split())


class SecretCertainty(StrEnum):
    """How surely a name says that its value is a secret."""

    NOTHING = "nothing"
    WEAK = "weak"
    STRONG = "strong"


CORE: Final = r"(?:pass|pwd|pw|secret|token|key|auth|cred|jwt|psk|sig|sess|sid|salt|otp|bearer|mnemonic|cookie)"
QUOTE: Final = r"\\{0,40}[\"'`]"
ASSIGNED: Final = re.compile(
    rf"(?P<tail>{CORE}[\w-]{{0,{NAME_MAX}}}+(?>(?:\.[\w-]{{1,{NAME_MAX}}}+){{0,3}}))(?P<named>{QUOTE})?\]?"
    r"(?:[ \t]{0,8}+(?P<equal>:[ \t]?[a-z_][\w.\[\]|? ]{0,40}=(?!=)(?=[ \t]?\\*[\"'])"
    r"|:=|=>|={1,3}|!==?|:(?![:/]|-\S))[ \t]{0,20}+"
    rf"|(?P<listed>,[ \t]{{0,4}}+(?={QUOTE}))|(?P<spaced>[ \t]{{1,8}}+)|(?P<fallback>:?-(?=[^\s-])))",
    re.ASCII,
)
SPOKEN: Final = re.compile(
    r"\b(?:api|access|secret|private|auth|account|master|encryption|signing|session|refresh|client) "
    r"(?:access )?(?:key|token|secret)(?: (?:provided|is|was))?[ \t]?[:=][ \t]{0,8}",
    re.ASCII,
)
TOLD: Final = re.compile(r"(?:password|passphrase|passcode|token|secret|key) (?:is|was)[ \t]?:?[ \t]{1,4}", re.ASCII)
PARTED: Final = re.compile(
    rf"\b(?:name|key)(?:{QUOTE})?\s{{0,8}}+[:=]\s{{0,8}}+(?:{QUOTE})?(?P<name>[\w.-]{{2,64}}+)(?:{QUOTE})?"
    rf"(?>(?:\s|\\{{1,3}}[nrt]){{0,60}}),?(?>(?:\s|\\{{1,3}}[nrt]){{0,60}})"
    rf"(?:{QUOTE})?value(?:{QUOTE})?\s{{0,8}}+[:=][ \t]{{0,8}}+",
    re.ASCII,
)
ELEMENT: Final = re.compile(r"<(?P<name>[a-z][\w.:-]{1,64}+)(?:\s[^<>]{0,99}+)?>(?P<value>[^<>\n]{1,500}+)</", re.A)
CALLED: Final = re.compile(r"\(\\{0,40}[\"']\Z")
BLOCK: Final = re.compile(
    r"[|>][-+]?[ \t]*(?:\n|\\{1,3}n)(?P<indent>[ \t]+)(?P<value>[^\s\\][^\n\\]*(?:\n(?P=indent)[^\n]*){0,200})"
)

# ---- values that are none

PROSE: Final = frozenset(
    "must should is was were has have had not no the a an to too for from in at of on and or with cannot can could "
    "failed failure fails fail error expired expires invalid incorrect wrong missing required optional unknown "
    "unauthorized denied rejected revoked authentication authorization please enter unexpected none empty unset set "
    "changed updated reset does did will may might be been it this that your you if when ok okay valid accepted "
    "mismatch true false null nil undefined yes off nan never always permission such read write inherit include omit "
    "same-origin flag option argument as instead str string bool boolean int integer bytes float number any object "
    "command secretstr optional list dict self type input text hidden varchar char unknown default new".split()
)
SPARED: Final = re.compile(
    r"""\$(?:[A-Z_][A-Z0-9_]*|[a-z_]+|[0-9@*?]|\{\w[\w.]*\}?|env:\w+|\([\s\S]*) | \$?\{\{[\s\S]* | \{[A-Za-z_.]+\}?
    | %[A-Z_][A-Z0-9_]*% | %s | %\(\w+\)s | (?:env|file|fd):[\w./~-]+
    | <[\w\s.:/-]*>? | \*+ | [xX]{3,} | \.{2,} | …+ | [^\w\s]{0,3} | [\[{(]\s?
    | \[?(?i:redacted|hidden|filtered|masked|omitted|removed|secure|protected)\]?
    | (?:~|\.{1,2})/[\w./~-]* | /(?:usr|etc|var|run|home|opt|tmp|root|mnt|srv|dev|proc|app|data|keys|secrets)/[\w./-]*
    | [A-Za-z_./\\~:-]*\.(?:pem|key|crt|cer|p12|pfx|jks|json|ya?ml|txt|env|pub|asc|gpg|ini|cfg|conf|toml|py|sh)
    | [A-Za-z_./~-]*id_(?:rsa|dsa|ecdsa|ed25519)(?:\.pub)?""",
    re.VERBOSE | re.ASCII,
)
CODE: Final = re.compile(
    r"(?:os|process|self|this|cls|config|settings|args|opts|options|request|req|env|var|local|secrets|getpass)\.[A-Za-z_].*"
    r"|(?:await )?[A-Za-z_.]{3,}\([A-Za-z_., ]*\)?|[A-Za-z_.]+\[[\"']?[A-Za-z_-]+"
    r"|(?:get|read|load|input|env)[A-Za-z_.]*\(.*"
    r"|[A-Za-z_]+(?:\.[A-Za-z_]+)*\.(?:\w*_)?(?:password|token|secret|key|credentials)(?:\.[A-Za-z_]+)*"
)
CONTAINER: Final = re.compile(r"(?P<open>[\[{(])\s{0,20}\\{0,40}[\"'\[{(]")
LISTED: Final = re.compile(
    r"\[\s{0,20}\\{0,40}[\"'](?P<value>[^\[\]{}\n]{1,2000}?|\[redacted\])\\{0,40}[\"']\s{0,20}\]"
)
PARSER: Final = re.compile(r"(?i)(?:unexpected|illegal) \Z")
MIXED: Final = re.compile(r"(?=[^\s]*[A-Za-z])(?=[^\s]*(?:[0-9]|[a-z][A-Z]|[!#$%^&*+=?@~]))[^\s]{6,}")

# ---- places of a secret in commands, addresses and headers

ADDRESS: Final = re.compile(r":\\{0,40}/\\{0,40}/(?P<user>[^\s/:@?#\"'<>`]{0,256}+)(?P<mark>[:@])", re.ASCII)
ADDRESS_REST: Final = re.compile(r"(?>(?:[^\s\"'<>`:]|:(?!\\?/\\?/)|[\"'<>`](?=[^\s\"'<>`,;)}\]]{1,80}@)){0,2000})")
PORT: Final = re.compile(r"[0-9]{1,5}(?:/|\?[\w.-]{1,40}=|\Z)")
HOST: Final = re.compile(r"\[?[\w.:-]+\]?(?:[/?,:;)\\]|\Z)")
FULL_HOST: Final = re.compile(r"(?:[\w-]+(?:\.[\w-]+)+|[\w-]+(?=:[0-9])|localhost)(?::[0-9]+)?(?:[/?,;)\\]|\Z)")
QUERY: Final = re.compile(r"\?[\w.-]{1,40}=|://")
BARE_ADDRESS: Final = re.compile(
    r":(?!//)(?P<value>[^\s\"']{3,100})@(?!sha)"
    r"(?:tcp\(|unix\(|localhost\b|[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[\w-]{1,60}(?:\.[\w-]{1,60}){0,4}:[0-9]{2,5}\b)"
)
HEADER: Final = re.compile(
    rf"authorization(?:{QUOTE})?[ \t]?(?:[:=,]|=>)[ \t]{{0,4}}+(?P<quote>{QUOTE})?"
    r"(?:(?:bearer|basic|token|digest|apikey|api-key|key|negotiate|ntlm|bot|splunk|ssws|aws4-hmac-sha256)[ \t]++)?",
    re.ASCII,
)
HEADER_VALUE: Final = re.compile(r"(?>(?:[^\n\r\"'`\\]|\\(?![nrt\"'`\\])){1,2000})")
BEARER: Final = re.compile(r"\b(?:bearer|oauth2-bearer)[ \t]{1,4}+(?=\S{6})", re.ASCII)
BASIC: Final = re.compile(r"\bBasic (?P<value>[A-Za-z0-9+/]{8,}={1,2})")
COOKIES: Final = re.compile(rf"cookie(?:{QUOTE})?[ \t]?[:= ][ \t]{{0,4}}+(?:{QUOTE})?(?=[\w.%-]{{1,80}}=)", re.ASCII)
COOKIE: Final = re.compile(r"(?P<name>[\w.%-]{1,80}+)=(?P<value>[^;\s\"'\\,]+)")
HEADERS: Final = frozenset(("authorization", "proxy-authorization", "cookie", "set-cookie"))  # read by their own rule
COOKIE_ATTRIBUTES: Final = frozenset("path expires max-age domain samesite".split())
COOKIE_SECRET: Final = re.compile(r"sess|sid|auth|token|csrf|xsrf|jwt|secret|remember|connect")

SEGMENT: Final = re.compile(
    r"(?>(?:\\\\\\n|\\(?!n)[\s\S]|[^\n;|&\"'\\]|\"(?>(?:[^\"\\\n]|\\[^\n])*)\"|'[^'\n]*+'|[\"'])"
    rf"{{0,{COMMAND_MAX}}})"
)
GAP: Final = r"(?>(?:[ \t]|\\\\?\n|\\\\\\n|\\*[\"'],[ ]?(?=\\*[\"']))+)"
BEFORE: Final = r"(?<=[\s\"'])"
MYSQL: Final = re.compile(rf"{BEFORE}-p(?=[^\s\"'\\]|[\"'][^,\s\]]|\\[\"'])")
SHORT_P: Final = re.compile(rf"{BEFORE}-v?p(?:[\"']?[=:]|{GAP}|(?=[^\s\"',:])|(?=[\"'][^,\s\]]))")
SLASHED: Final = re.compile(rf"{BEFORE}(?:/p|/pass|/password|/rp)(?:[:=]|{GAP})", re.IGNORECASE)
OPENSSL: Final = re.compile(
    rf"{BEFORE}(?:-(?:k|K|hmac|psk){GAP}|-pass(?:in|out)?{GAP}(?:[\"'])?pass:|-macopt{GAP}(?:hex)?key:)"
)
USER: Final = re.compile(rf"{BEFORE}(?:-u|-U|-a|--user|--proxy-user|--auth|--cert|-E)(?:=|{GAP}|(?=[\w]+:))")
COMMANDS: Final = (
    ("mysql mariadb mycli 7z rar", r"\w*(?:-dump)?", MYSQL, ""),
    ("curl wget http xh etcdctl", "s?", USER, ":"),
    ("sshpass mongo cqlsh twine psexec useradd usermod", r"\w*", SHORT_P, ""),
    ("rdesktop ncftp crackmapexec netexec nxc evil-winrm pdbedit hydra smbmap winrs", r"\w*", SHORT_P, ""),
    ("xfreerdp wlfreerdp cmdkey schtasks signtool", r"(?:\.exe)?", SLASHED, ""),
    ("rar", r"(?:\.exe)?", re.compile(rf"{BEFORE}-hp(?=[^\s,])"), ""),
    ("lftp", "", re.compile(rf"{BEFORE}-u{GAP}"), ","),
    ("snmp", r"\w+", re.compile(rf"{BEFORE}-[AX]{GAP}"), ""),
    ("security", " +[a-z-]*(?:password|keychain)", re.compile(rf"{BEFORE}-[pPw]{GAP}"), ""),
    ("pdfto pdfinfo pdfimages", r"\w*", re.compile(rf"{BEFORE}-[uo]pw{GAP}"), ""),
    ("pdftk", "", re.compile(rf"{BEFORE}(?:user_pw|owner_pw|input_pw){GAP}"), ""),
    ("nmcli", "", re.compile(rf"{BEFORE}password{GAP}"), ""),
    ("rclone", "", re.compile(rf"{BEFORE}(?:pass|password|secret_access_key|token|client_secret){GAP}"), ""),
    ("docker podman buildah skopeo nerdctl oc cf az helm", "(?: +registry)? +login", SHORT_P, ""),
    ("kubectl oc", r" [^\n;|&]{0,60}?create +secret", re.compile(rf"--from-literal(?:=|{GAP})"), "="),
    ("fly flyctl vault supabase doppler", "(?: +kv| +secrets?)? +(?:set|put)", re.compile(rf"{BEFORE}(?=\w+=)"), "="),
    ("smbclient rpcclient smbget net", "", re.compile(rf"{BEFORE}(?:-U|--user)(?:=|{GAP}|(?=\w))"), "%"),
    ("ldap", r"\w+", re.compile(rf"{BEFORE}-w(?:{GAP}|(?=\S{{6}}))"), ""),
    ("redis-cli valkey-cli", "", re.compile(rf"{BEFORE}(?:-a|--pass|auth|AUTH){GAP}"), ""),
    (
        "zip unzip sqlcmd bcp mosquitto_pub mosquitto_sub ssh-keygen ipmitool",
        "",
        re.compile(rf"{BEFORE}-[PN]{GAP}"),
        "",
    ),
    ("gh", " +secret +set", re.compile(rf"{BEFORE}(?:-b|--body)(?:=|{GAP})"), ""),
    ("openssl", "", OPENSSL, ""),
)
COMMAND: Final = tuple(
    (word, re.compile(rf"{re.escape(word)}(?<![\w.-]{re.escape(word)}){more}(?=[\s\"'\\])"), flag, divider)
    for words, more, flag, divider in COMMANDS
    for word in words.split()
)
POSITIONS: Final = (
    (
        "net",
        r"net1?(?:\.exe)?[ ]++user[ ]++(?>(?:/\S++[ ]++){0,4})[^\s/]++[ ]++"
        r"(?=[^\s/*][^\s]*+[ ]*+(?:/|[\n\r;&|\"'`)]|\Z))",
    ),
    (
        "net",
        r"net1?(?:\.exe)?[ ]++use[ ]++(?>(?:/\S++[ ]++){0,8})(?>(?:[a-z]:|\*|lpt\d)[ ]++)?(?>(?:/\S++[ ]++){0,8})"
        r"\\*[\"']?(?:\\\\|https?://)\S++[ ]++(?>(?:/\S++[ ]++){0,8})(?=[^\s/*<>|&-])",
    ),
    ("openssl", r"openssl[ ]++passwd[ ]++(?>(?:-(?:salt|in)[ ]++\S++[ ]++|-\S++[ ]++){0,8})(?=[^\s-])"),
    ("wpa_passphrase", r"wpa_passphrase[ ]++(?:\"[^\"\n]*+\"|'[^'\n]*+'|\S++)[ ]++"),
    ("dscl", r"dscl[ ]++\S++[ ]++-passwd[ ]++\S++[ ]++"),
    ("--encrypt", r"--encrypt[ ]++(?=\S++[ ]++\S++[ ]++(?:40|128|256)\b)"),
    ("--encrypt", r"--encrypt[ ]++\S++[ ]++(?=\S++[ ]++(?:40|128|256)\b)"),
    ("user", r"user(?<=\nuser)[ ]++[\w.@-]++[ ]++(?=\S++[ ]*+(?:\n|\Z))"),
    ("impacket-", r"impacket-\w++[ ]++(?>(?:-\S++[ ]++){0,8})[\w.-]*+/?[\w.$-]++:"),
    ("kinit", r"kinit\b[^\n|;&<]{0,120}<<<[ ]*"),
    ("cryptsetup", r"cryptsetup\b[^\n|;&<]{0,160}<<<[ ]*"),
    ("borg", r"borg\b[^\n|;&<]{0,160}<<<[ ]*"),
    ("passwd", r"passwd\b[^\n|;&<]{0,120}<<<[ ]*"),
    ("vault", r"vault[ ]+login[ ]+(?>(?:-\S+[ ]+){0,8})(?!-)(?:token=)?"),
    ("rabbitmqctl", r"rabbitmqctl[ ]+(?:add_user|change_password)[ ]+\S+[ ]+"),
    ("requirepass", "requirepass[ ]+"),
    ("login", r"login[ ]+\S{1,80}\s+password[ ]+"),
    ("identified", r"identified[ ]+(?:with[ ]+\S+[ ]+)?(?:by|as)[ ]+(?:password[ ]+)?(?=\\*[\"'])"),
    ("password(", r"password\((?<=[ =]password\()[ ]*(?=\\*[\"'])"),
    ("--password-stdin", "--password-stdin[ ]*<<<[ ]*"),
    ("--with-token", "--with-token[ ]*<<<[ ]*"),
    ("chpasswd", "chpasswd[ ]*<<<[ ]*"),
    ("sudo", r"sudo[ ]+(?:-\S+[ ]+){0,4}-\w*s\b[^\n]{0,80}?<<<[ ]*"),
    ("auth", r"auth[ ]?[=(][ ]?\(?[ ]?(?:\"[^\"\n]{0,80}\"|'[^'\n]{0,80}')[ ]?,[ ]?(?=[\"'])"),
    ("sqlplus", r"sqlplus[ ]+(?>(?:-\S+[ ]+){0,8})[\w.]+/(?=[^\s@]+@)"),
)
POSITION: Final = tuple((hint, re.compile(pattern, re.ASCII)) for hint, pattern in POSITIONS)
SQL_LEAD: Final = re.compile(r"(?i)\b(?:with|encrypted|login|set|(?:user|role)\s+\S{1,60})\s+\Z")
CONFIGURED: Final = re.compile(
    r"config(?:ure)?[: ][ ]*(?>(?:set[ ]+|--\w+[ ]+){0,8})(?P<name>[\w./:@-]{2,120}+)[ ]+(?![-=])"
)
HTPASSWD: Final = re.compile(
    r"htpasswd[ ]+(?=[^\n;|&]{0,80}?-[a-zA-Z]*b)(?:[^\s;|&\"]{1,200}+[ ]+){1,12}"
    r"(?P<value>[^\s;|&\"]+)[ ]*(?=[\n;|&\"']|\Z)"
)
# By its place as well, as the line may go on: it comes after the file and the user, or with -n after the user.
OPTIONS: Final = r"(?:-[^\s;|&]{1,40}+[ ]+(?:\d{1,6}+[ ]+)?){1,6}+"
OPERAND: Final = r"(?>\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'|[^\s;|&]{1,200})[ ]+"
HTPASSWD_AFTER: Final = tuple(
    re.compile(rf"htpasswd[ ]+(?=[^\n;|&]{{0,80}}?-[a-zA-Z]*b){flags}{OPTIONS}{before}(?=\S)")
    for flags, before in ((r"(?=[^\n;|&]{0,80}?-[a-zA-Z]*n)", OPERAND), ("", OPERAND * 2))
)
PIPED: Final = re.compile(
    r"(?:echo|printf|yes)[ ]+(?>(?:-\w+[ ]+|[\"']%s(?:\\\\?n)?[\"'][ ]+){0,8})(?P<value>[^|\n]{1,200}+)\|[ ]*"
    r"[^\n|]{0,160}?(?:sudo[ ]+(?:-\w+[ ]+){0,4}-\w*S|--password-stdin|--with-token|passwd|--stdin|vault[ ]+login"
    r"|kinit\b|cryptsetup\b|--passphrase-fd|\bsu\b|sshpass\b)"
)

# ---- what a pipe, a here-string or a call decodes

ENCODED: Final = r"[\"']?(?P<value>[A-Za-z0-9+/_-]{4,4000}+={0,2})(?![A-Za-z0-9+/_=-])[\"']?"
DECODER: Final = r"(?:openssl[ ]++)?base64[ ]++(?>(?:-(?!-|[dD])\w++[ ]++){0,8})(?:-[diD]++|--decode)\b"
DECODED: Final = (
    (
        "echo printf",
        re.compile(
            rf"(?:echo|printf)[ ]++(?>(?:-\w++[ ]++|[\"']%s(?:\\\\?n)?[\"'][ ]++){{0,8}}){ENCODED}[ ]*+\|[ ]*+{DECODER}"
        ),
    ),
    ("base64", re.compile(rf"{DECODER}[^\n|;&<]{{0,40}}<<<[ ]*+{ENCODED}")),
    ("frombase64string( b64decode( decode64( atob(", re.compile(rf"\w{{4,20}}\([ ]?b?{ENCODED}", re.IGNORECASE)),
)
LOGIN: Final = re.compile(
    r"[^\n|]{0,40}\|[^\n|]{0,160}?(?:sudo[ ]+(?:-\w+[ ]+){0,4}-\w*S|--password-stdin|--with-token|passwd|--stdin"
    r"|vault[ ]+login|kinit\b|cryptsetup\b|--passphrase-fd|\bsu\b|sshpass\b|docker[ ]+login)"
)
SUBSTITUTED: Final = re.compile(
    r"(?:(?P<name>[\w.-]{1,64})(?:[ ]?=[ ]?|:[ ])|[\s\"']-p|:)\\{0,40}[\"']?(?:\$\(|`)[ ]?\Z"
)

# ---- what an expect script types

SENT: Final = re.compile(r"send(?:line|_tty)?(?:(?>(?:[ ]++-[a-z-]++){0,8})[ ]++(?=\S)|\([ ]?(?=\\*b?[\"']))", re.ASCII)
PROMPT: Final = re.compile(
    r"(?i)(?:assw|pass(?:phrase|code)|\bpin\b|\bsecret|\btoken|\botp\b|(?:verification|one-time|security|access) code)"
)
SENT_END: Final = re.compile(r"(?:\\+[rn])+\Z")
TYPED: Final = re.compile(r"(?=\S*[0-9])(?=\S*(?:[A-Z]|[!#$%^&*+=?@~]))[^\s\\\"']{6,}")
