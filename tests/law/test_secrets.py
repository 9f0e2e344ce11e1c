"""Secrets leave a mark where they stood, in whatever text they stand; what is no secret stays as it is."""

import base64
import json
import shlex
import string

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cruxfinder.gate.secrets.redaction import MARK, redact
from tests import pace

PLANTED = "Zq7" + "x4Lp9Wd2Rk"  # no word of any text around it
LETTERS = string.ascii_letters + string.digits


def hidden(text: str, secret: str) -> bool:
    """Is there no run of eight letters of the secret left?"""
    after = redact(text)
    width = min(8, len(secret))
    return MARK in after and not any(secret[n : n + width] in after for n in range(len(secret) - width + 1))


# ---- what is hidden

ASSIGNMENTS = (
    "DB_PASSWORD={}",
    "export API_TOKEN={}",
    "export API_TOKEN='{}'",
    'SECRET_KEY="{}"',
    "DB_PWD={}",
    "MYSQL_PASS={}",
    "PGPASSWORD={} psql -h db -c 'select 1'",
    "password: {}",
    "  - password: '{}'",
    '{{"password": "{}"}}',
    '{{"user": "ann", "apiKey":"{}", "n": 1}}',
    r'{{"body": "{{\"client_secret\": \"{}\"}}"}}',
    r"{{\\\"token\\\": \\\"{}\\\"}}",
    r'{{"content": "PORT=80\nDB_PASSWORD={}\nHOST=db\n"}}',
    "connect(host='db', password='{}', port=1)",
    "connect(host=db, password={}, port=1)",
    "connect(password={})",
    "password = '{}'",
    'password: str = "{}"',
    "if password == '{}':",
    'config["password"] = "{}"',
    "os.environ.setdefault('API_KEY', '{}')",
    "$password => '{}'",
    "Server=db;Uid=sa;Pwd={};Database=main",
    "DefaultEndpointsProtocol=https;AccountName=a;AccountKey={}==;EndpointSuffix=net",
    "Endpoint=sb://a/;SharedAccessKeyName=root;SharedAccessKey={}=",
    "username=ann&password={}&remember=1",
    "PASSPHRASE={}",
    "AWS_SECRET_ACCESS_KEY={}",
    "aws_session_token = {}",
    "HEROKU_API_KEY={}",
    "DD_API_KEY={}",
    "CLOUDFLARE_API_TOKEN: {}",
    "google.credentials={}",
    "spring.datasource.password={}",
    "//registry.example/:_authToken={}",
    "REDISCLI_AUTH={}",
    "STRIPE_KEY={}",
    "+  password: {}",
    "-DB_PASSWORD={}",
    "- name: DB_PASSWORD\n  value: {}",
    '{{"name": "DB_PASSWORD", "value": "{}"}}',
    '<add key="Password" value="{}"/>',
    "<password>{}</password>",
    "password: |\n  {}\nuser: ann",
    "${{DB_PASSWORD:-{}}}",
    "PASSWORD=${{DB:-{}}}",
    "the password is {} for now",
    "my API key: {}",
    "Invalid password: {}",
    '{{"passwords": ["one", "{}"]}}',
    '{{"credentials": {{"user": "ann", "password": "{}"}}}}',
    "ValueError: bad token={} in request",
)
COMMANDS = (
    "tool --password {} --verbose",
    "tool --password={} --verbose",
    "tool --token '{}'",
    "tool --api-key {}",
    '["tool", "--password", "{}", "-v"]',
    "['tool', '--token', '{}']",
    "keytool -storepass {} -list",
    "mysql -u root -p{} main",
    "mysqldump -p'{}' main > out.sql",
    '{{"command": "mysql -uroot -p{} main"}}',
    "curl -u ann:{} https://host.example/",
    "curl --user 'ann:{}' https://host.example/",
    "curl -s -H 'a: b; c' -u ann:{} https://host.example/",
    "curl https://host.example/ \\\n  -u ann:{}",
    r'{{"command": "curl https://host.example/ \\\n  -u ann:{}"}}',
    '["curl", "-u", "ann:{}"]',
    "http -a ann:{} host.example",
    "sshpass -p {} ssh ann@host",
    "sshpass -p '{}' ssh ann@host",
    "docker login -u ann -p {} registry.example",
    "kubectl create secret generic app --from-literal=key={}",
    "kubectl -n prod create secret generic app --from-literal key={}",
    "aws configure set aws_secret_access_key {}",
    "aws configure set aws_secret_access_key {} --profile p",
    "npm config set //registry.example/:_authToken {}",
    "htpasswd -b /etc/httpd/users ann {}",
    "htpasswd -nb ann {}",
    "openssl rsa -in key.pem -passin pass:{} -out out.pem",
    "openssl enc -aes-256-cbc -pass pass:{}",
    "echo {} | sudo -S ls",
    "echo '{}' | docker login -u ann --password-stdin",
    "echo -n {} | gh auth login --with-token",
    "echo ann:{} | chpasswd",
    "vault login {}",
    "vault login -no-print {}",
    "vault kv put secret/app field={}",
    "gh auth login --with-token <<< {}",
    "gh secret set NAME --body {}",
    "smbclient //host/share -U ann%{}",
    "net user ann {} /add",
    "ldapsearch -x -D cn=admin -w {} -b dc=org",
    "redis-cli -h db -a {} ping",
    "redis-cli AUTH {}",
    "mongo -u ann -p {} main",
    "mongosh --username ann --password {}",
    "zip -P {} out.zip in.txt",
    "unzip -P {} out.zip",
    "rabbitmqctl add_user ann {}",
    "machine host.example login ann password {}",
    "fly secrets set NAME={}",
    "sqlplus ann/{}@db",
)
REQUESTS = (
    "postgres://ann:{}@db:5432/main",
    "postgres://ann:a%40/{}@db/main",
    "postgres://ann:a@b#{}@db/main?x=1",
    "https://ann:{}@github.com/a/b.git",
    "redis://:{}@cache:6379/0",
    "mongodb+srv://ann:{}@a.example,b.example/main",
    r"postgres:\/\/ann:{}@db\/main",
    "ann:{}@tcp(db:3306)/main",
    "http_proxy=ann:{}@proxy.example:3128",
    "GET /a?access_token={}&page=2",
    "https://host.example/a?page=2&api_key={}",
    "https://host.example/a?sv=1&sig={}%3D&se=2",
    "https://host.example/a?X-Amz-Signature={}",
    "https://hooks.slack.com/services/T0/B0/{}",
    "https://discord.com/api/webhooks/12345/{}",
    "Authorization: Bearer {}",
    "authorization: Basic {}==",
    "Authorization: token {}",
    "Authorization: {}",
    '{{"Authorization": "Bearer {}", "Accept": "*/*"}}',
    "-H 'Authorization: Bearer {}' https://host.example",
    r'{{"c": "curl -H \"Authorization: Bearer {}\" https://host.example"}}',
    "headers = [('Authorization', 'Bearer {}')]",
    "sent Bearer {} to the server",
    "X-Api-Key: {}",
    "X-Auth-Token: {}\r\nAccept: */*",
    "PRIVATE-TOKEN: {}",
    "Cookie: theme=dark; sessionid={}; n=1",
    "Set-Cookie: session={}; Path=/; HttpOnly",
    "requests.get(url, auth=('ann', '{}'))",
)
STATEMENTS = (
    "CREATE USER ann IDENTIFIED BY '{}';",
    "ALTER USER ann WITH PASSWORD '{}'",
    "ALTER ROLE ann PASSWORD '{}'",
    "CREATE ROLE ann LOGIN ENCRYPTED PASSWORD '{}'",
    "SET PASSWORD = '{}'",
    "SET PASSWORD FOR 'ann'@'%' = PASSWORD('{}')",
    "ALTER LOGIN ann WITH PASSWORD = N'{}'",
)


@pytest.mark.parametrize("text", [*ASSIGNMENTS, *COMMANDS, *REQUESTS, *STATEMENTS])
def test_a_secret_is_hidden_by_where_it_stands(text: str) -> None:
    assert hidden(text.format(PLANTED), PLANTED)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("DB_PASSWORD={} psql -h db", "DB_PASSWORD=[redacted] psql -h db"),
        ('{{"password": "{}", "port": 1}}', '{{"password": "[redacted]", "port": 1}}'),
        ("curl -H 'Authorization: Bearer {}' http://a", "curl -H 'Authorization: Bearer [redacted]' http://a"),
        ("postgres://ann:{}@db:5432/main?x=1", "postgres://ann:[redacted]@db:5432/main?x=1"),
        ("redis://:{}@cache/0 is down", "redis://:[redacted]@cache/0 is down"),
        ("GET /a?access_token={}&page=2 HTTP/1.1", "GET /a?access_token=[redacted]&page=2 HTTP/1.1"),
        ("mysql -uroot -p{} main", "mysql -uroot -p[redacted] main"),
        ("curl -u ann:{} http://a", "curl -u ann:[redacted] http://a"),
        ("tool --password {} --verbose", "tool --password [redacted] --verbose"),
        ("echo '{}' | sudo -S ls", "echo '[redacted]' | sudo -S ls"),
        ("f(password={}, n=1)", "f(password=[redacted], n=1)"),
        ("Server=db;Pwd={};Database=main", "Server=db;Pwd=[redacted];Database=main"),
        ("password: {} # of the test host", "password: [redacted] # of the test host"),
        ("Cookie: theme=dark; sessionid={}", "Cookie: theme=dark; sessionid=[redacted]"),
        ("CREATE USER ann IDENTIFIED BY '{}';", "CREATE USER ann IDENTIFIED BY '[redacted]';"),
        ("<password>{}</password>", "<password>[redacted]</password>"),
    ],
)
def test_what_stands_around_a_secret_stays(text: str, left: str) -> None:
    assert redact(text.format(PLANTED)) == left.replace("{{", "{").replace("}}", "}")


@pytest.mark.parametrize("after", [" 5", " and more", " # why", "\n5"])
def test_what_comes_after_a_secret_does_not_uncover_it(after: str) -> None:
    for text in (*ASSIGNMENTS, *COMMANDS, *REQUESTS, *STATEMENTS):
        assert PLANTED not in redact(f"{text.format(PLANTED)}{after}"), text


@pytest.mark.parametrize(
    "text",
    [
        "password: 'correct horse battery staple'",
        '{"passphrase": "correct horse battery staple"}',
        "tool --password 'correct horse battery staple' run",
        "mysql -p'correct horse battery staple' main",
        "ALTER USER ann WITH PASSWORD 'correct horse battery staple'",
        "passphrase: correct horse battery staple",
        '{"config": "passphrase: |\\n  correct horse battery staple\\n"}',
    ],
)
def test_a_secret_may_hold_blanks(text: str) -> None:
    assert "horse" not in redact(text) and "staple" not in redact(text)


@pytest.mark.parametrize("quoted", [shlex.quote, json.dumps, repr])
def test_a_quote_inside_does_not_end_a_secret(quoted: object) -> None:
    assert callable(quoted)
    for secret in ("abc'defghijkl", 'abc"defghijkl', "abc\\defghijkl", "ab'c\"d'efghijkl"):
        assert "efghi" not in redact(f"tool --password {quoted(secret)} -v")


def test_a_token_may_stand_in_the_place_of_the_user() -> None:
    assert redact(f"https://{PLANTED}abc@github.com/a") == "https://[redacted]@github.com/a"
    assert redact(f"git+https://ann:{PLANTED}@github.com/a.git@v1") == "git+https://ann:[redacted]@github.com/a.git@v1"


# ---- what stays

STAYS = (
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "git show 9fceb02",
    "request 123e4567-e89b-12d3-a456-426614174000 done",
    "docker pull app@sha256:" + "0a" * 32,
    "image: registry.example/app:1.2@sha256:" + "0a" * 32,
    "the password is wrong",
    "the password is too short",
    "token expired",
    "Invalid token '<' at position 0",
    "SyntaxError: Unexpected token } in JSON at position 5",
    "Unexpected token: punc (})",
    "Unexpected token: foo1234567",
    "password authentication failed for user ann",
    "error: password: must be at least 8 characters",
    "Password: too short",
    "Enter password: ",
    "PASSWORD_MIN_LENGTH=8",
    "tokens: 512",
    "max_tokens=500",
    '{"max_tokens": 500, "total_tokens": 12}',
    "token_count=17",
    "tokenizer=cl100k_base1",
    "token_type=bearer",
    "token_url=https://host.example/oauth2/v1",
    "keyboard=us",
    "primary_key=id",
    "public_key=abcdef123456789",
    "cache_key=abc123def456789",
    "PATH=/usr/bin:/usr/local/bin",
    "PWD=/srv/app1",
    "author=alice",
    "authors: Ann1 and Bob2",
    "tool --key-file server1.bin",
    "tool --password-file secret1.bin",
    "ssh -i ~/.ssh/id_rsa ann@host",
    "cat ~/.ssh/id_rsa",
    "cat /run/secrets/db_password",
    "cat: /run/secrets/db_password: Permission denied",
    "src/auth/token.py:12: error: unknown name",
    "tests/test_token.py::test_one PASSED",
    "PASS: test_one1234",
    "DB_PASSWORD=$DB_PASSWORD",
    "DB_PASSWORD=${DB_PASSWORD}",
    "password: ${{ secrets.DB_PASSWORD }}",
    "password: {{ .Values.password }}",
    "tool --password $DB_PASSWORD",
    'tool --password "$DB_PASSWORD"',
    "tool --password <password>",
    "password=***",
    "password=********",
    "password=<password>",
    "PASSWORD=$(cat /run/secrets/db)",
    "postgres://ann:$DB_PASSWORD@db/main",
    "postgres://ann:${DB_PASSWORD}@db/main",
    "postgres://ann:***@db/main",
    "http://host.example:8080/a?mail=ann@host.example",
    "https://host.example/@scope/package",
    "ssh://git@github.com/a/b.git",
    "git@github.com:a/b.git",
    "mail ann@host.example",
    "passwd ann",
    "sudo passwd -l ann",
    "kubectl get secret my-secret",
    "kubectl get secret my-secret -o yaml",
    "kubectl delete secret my-secret1234",
    "gh auth login --with-token < file",
    "docker login --password-stdin registry.example",
    "mysql -u root -p main",
    "mkdir -p a/b1234567 && cp -pr x y",
    "mysql -e 'select 1' && mkdir -p build1234",
    "secretary=ann1234567",
    "secretName: app-secret-v2",
    "imagePullSecrets:\n  - name: registry1234",
    "def login(user: str, password: str) -> None:",
    "def login(user, password=None):",
    "login(user=user, password=password)",
    "token = get_token()",
    "password = os.environ['DB_PASSWORD']",
    'password = os.getenv("DB_PASSWORD")',
    "const token = response.token",
    'token = data["token"]',
    "arn:aws:secretsmanager:eu-west-1:123456789012:secret:app-AbCdEf",
    "Bearer authentication is required",
    "Basic authentication",
    "use --password to set it",
    "password: null",
    "password=",
    "password=''",
    'password: ""',
    '{"password": null, "token": false}',
    "task-force-of-many-people-2024",
    "class sk-circle-fade-dot-long-name",
    "npm_config_registry=https://registry.example",
    "Cookie: theme=dark",
    "session started at 10:30",
    "the key is in the door",
    "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END PUBLIC KEY-----",
    "grep -r 'BEGIN RSA PRIVATE KEY' .",
    "secrets: inherit",
    '{"credentials": {"user": "ann1", "port": 5432}}',
    '{"tokens": ["the", "cat1", "sat"]}',
    "permissions:\n  id-token: write",
    "curl -u ann https://host.example/",
    "echo hello | sudo tee /etc/motd",
    "htpasswd -c /etc/httpd/users ann",
    "openssl rsa -passin env:KEY_PASS -in a",
)


@pytest.mark.parametrize("text", STAYS)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redact(text) == text


# ---- shapes


def of(alphabet: str, least: int, most: int | None = None) -> st.SearchStrategy[str]:
    return st.text(alphabet, min_size=least, max_size=most or least)


HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + string.digits
URL_SAFE = LETTERS + "_-"
CODED = LETTERS + "+/"
SHAPES: dict[str, st.SearchStrategy[str]] = {
    "AWS key id": of(UPPER, 16).map(lambda t: "AK" + "IA" + t),
    "AWS session": of(CODED, 80).map(lambda t: "IQoJ" + "b3JpZ2lu" + t),
    **{f"GitHub {p}": of(LETTERS, 36).map(lambda t, p=p: "gh" + p + "_" + t) for p in "posur"},
    "GitHub fine": of(LETTERS + "_", 60).map(lambda t: "github" + "_pat_" + t),
    "GitLab": of(URL_SAFE, 20).map(lambda t: "gl" + "pat-" + t),
    "Slack": of(LETTERS + "-", 24, 50).map(lambda t: "xo" + "xb-" + t),
    "Stripe": of(LETTERS, 24).map(lambda t: "sk" + "_live_" + t),
    "Stripe restricted": of(LETTERS, 24).map(lambda t: "rk" + "_live_" + t),
    "Stripe hook": of(LETTERS, 32).map(lambda t: "wh" + "sec_" + t),
    "OpenAI": of(LETTERS, 47).map(lambda t: "sk" + "-7" + t),
    "OpenAI project": of(URL_SAFE, 60).map(lambda t: "sk" + "-proj-" + t),
    "Anthropic": of(URL_SAFE, 90).map(lambda t: "sk" + "-ant-" + t),
    "Google": of(URL_SAFE, 35).map(lambda t: "AI" + "za" + t),
    "Google access": of(URL_SAFE, 60).map(lambda t: "ya" + "29." + t),
    "npm": of(LETTERS, 36).map(lambda t: "np" + "m_" + t),
    "package upload": of(URL_SAFE, 80).map(lambda t: "pypi" + "-AgE" + t),
    "SendGrid": st.tuples(of(URL_SAFE, 22), of(URL_SAFE, 43)).map(lambda t: "S" + "G." + ".".join(t)),
    "Twilio": of(HEX, 32).map(lambda t: "S" + "K" + t),
    "Mailgun": of(HEX, 32).map(lambda t: "ke" + "y-" + t),
    "DigitalOcean": of(HEX, 64).map(lambda t: "dop" + "_v1_" + t),
    "Hugging Face": of(LETTERS, 34).map(lambda t: "h" + "f_" + t),
    "Discord": st.tuples(of(LETTERS, 23), of(URL_SAFE, 6), of(URL_SAFE, 38)).map(lambda t: "M" + ".".join(t)),
    "Telegram": st.tuples(of(string.digits, 9), of(URL_SAFE, 33)).map(lambda t: t[0] + ":A" + "A" + t[1]),
    "Vault": of(LETTERS, 24, 90).map(lambda t: "hv" + "s.7" + t),
    "Databricks": of(HEX, 32).map(lambda t: "da" + "pi" + t),
    "Heroku": of(URL_SAFE, 60).map(lambda t: "HR" + "KU-" + t),
    "web token": st.tuples(of(URL_SAFE, 20), of(URL_SAFE, 40), of(URL_SAFE, 43)).map(
        lambda t: "ey" + "J" + ".".join(t)
    ),
    "age": of(UPPER, 58).map(lambda t: "AGE-SECRET" + "-KEY-1" + t),
}
AROUND = (
    "{}",
    "see {} here",
    "echo {} > out",
    "git clone https://{}@github.com/a/b.git",
    '{{"a": "{}", "b": 1}}',
    r'{{"content": "one\n{}\ntwo"}}',
    "a: {}\nb: 1",
    "NAME={}\nOTHER=1",
    'Traceback (most recent call last):\n  File "a.py", line 3, in f\nValueError: bad value {!s}\n',
    "+ key = '{}'",
    "https://host.example/a?x={}&y=1",
    "({})",
    "`{}`,",
)


@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_a_key_of_a_known_shape_is_hidden_anywhere(shape: str, data: st.DataObject) -> None:
    secret = data.draw(SHAPES[shape])
    assert hidden(data.draw(st.sampled_from(AROUND)).format(secret), secret)


@given(of(CODED, 40))
@settings(max_examples=30, deadline=None)
def test_the_secret_half_is_known_by_the_key_id_before_it(secret: str) -> None:
    assert hidden(f"{'AK' + 'IA'}{'Q7' * 8} {secret}", secret)


def private_key(kind: str, body: bytes, width: int) -> tuple[str, str, str]:
    text = base64.b64encode(body).decode()
    lines = "\n".join(text[n : n + width] for n in range(0, len(text), width))
    return f"-----BEGIN {kind}PRIVATE" + " KEY-----", lines, f"-----END {kind}PRIVATE" + " KEY-----"


@pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
@pytest.mark.parametrize("cut", ["whole", "no end", "no begin"])
@pytest.mark.parametrize("written", ["plain", "json", "json twice", "indented"])
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.binary(min_size=120, max_size=900))
def test_a_private_key_is_hidden_whole_or_cut(kind: str, cut: str, written: str, body: bytes) -> None:
    begin, lines, end = private_key(kind, body, 64)
    text = "\n".join(([] if cut == "no begin" else [begin]) + [lines] + ([] if cut == "no end" else [end]))
    if written == "indented":
        text = "key: |\n" + "\n".join(f"  {line}" for line in text.splitlines())
    for _ in range({"json": 1, "json twice": 2}.get(written, 0)):
        text = json.dumps({"key": text})
    after = redact(text)
    assert MARK in after
    assert [line for line in lines.splitlines() if len(line) >= 8 and line[:8] in after] == []


def test_text_after_a_cut_key_stays() -> None:
    begin, lines, _ = private_key("RSA ", bytes(range(200)), 64)
    assert redact(f"{begin}\n{lines}\nand then it broke off.").endswith("\nand then it broke off.")


# ---- planted at random

ODD = LETTERS + "!#%*+,-./:;=?@^_~&$()[]{}|<>"
SAFE = LETTERS + "!#%*+-./=^_~"  # a question mark after an @ begins a query
PROSE_WORDS = st.lists(
    st.sampled_from("the build failed at line 12 of main while tests ran = : ; { [ ' \" ( \\ |".split()), max_size=12
)


def strange(secret: str) -> bool:
    """As people choose passwords: with a letter and a digit, and not like a variable or the port of a host."""
    return secret[0] in string.ascii_letters and any(c.isdigit() for c in secret) and any(c.isalpha() for c in secret)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(['{{"password": {}}}', "password: {}", "DB_PASSWORD={}", "f(api_key={}, n=1)", "--token {} -v"]),
    st.data(),
)
def test_any_quoted_secret_is_hidden(text: str, data: st.DataObject) -> None:
    secret = data.draw(of(ODD + "\\\"' ", 8, 40).filter(strange))
    after = redact(text.format(json.dumps(secret)))
    coded = json.dumps(secret)[1:-1]
    assert not any(coded[n : n + 8] in after for n in range(len(coded) - 7))


@settings(max_examples=80, deadline=None)
@given(st.sampled_from([*ASSIGNMENTS, *COMMANDS, *REQUESTS, *STATEMENTS]), of(SAFE, 12, 40).filter(strange))
def test_any_secret_is_hidden_in_every_place(text: str, secret: str) -> None:
    assert hidden(text.format(secret), secret)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([*ASSIGNMENTS, *COMMANDS, *REQUESTS, *STATEMENTS]),
    of(LETTERS, 10, 30).filter(strange),
    PROSE_WORDS,
    PROSE_WORDS,
)
def test_any_secret_is_hidden_whatever_lines_stand_around(
    text: str, secret: str, before: list[str], after: list[str]
) -> None:
    assert hidden(f"{' '.join(before)}\n{text.format(secret)}\n{' '.join(after)}", secret)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([*ASSIGNMENTS, *COMMANDS, *REQUESTS, *STATEMENTS]),
    of(LETTERS, 10, 30).filter(strange),
    st.integers(1, 2),
)
def test_any_secret_is_hidden_in_the_arguments_of_a_tool(text: str, secret: str, deep: int) -> None:
    written = text.format(secret)
    for _ in range(deep):
        written = json.dumps({"tool": "run", "command": written, "timeout": 5})
    assert hidden(written, secret)


@settings(max_examples=60, deadline=None)
@given(
    of(SAFE.replace("@", "").replace("/", ""), 8, 30).filter(strange),
    st.sampled_from(["", "%40", "@", "%", "/", "#", "?"]),
)
def test_odd_letters_do_not_end_the_password_of_an_address(secret: str, odd: str) -> None:
    assert hidden(f"see postgres://ann:{secret}{odd}{secret}@db:5432/main now", secret)


PIECES = st.sampled_from(
    [
        "password",
        "TOKEN",
        "=",
        ":",
        " ",
        "\n",
        '"',
        "'",
        "\\",
        "[redacted]",
        "--",
        "-p",
        "mysql ",
        "curl -u ",
        "://",
        "@",
        "a1B2c3D4e5",
        "authorization: ",
        "bearer ",
        "$",
        "{",
        "}",
        "(",
        ")",
        ",",
        ";",
        "&",
        "|",
        "<",
        ">",
        "cookie: a",
        "eyJ",
        ".",
        "/",
        "echo ",
        " sudo -S",
        "-----BEGIN PRIVATE" + " KEY-----",
        "-----END PRIVATE" + " KEY-----",
        "QUJDQUJDQUJDQUJDQUJD",
        "name: ",
        "value: ",
        "`",
        "#",
        "is ",
        "key-",
    ]
)


@settings(max_examples=120, deadline=None)
@given(st.lists(PIECES, max_size=25).map("".join) | st.text(max_size=80))
def test_marking_twice_is_marking_once_and_nothing_raises(text: str) -> None:
    once = redact(text)
    assert redact(once) == once


@pytest.mark.parametrize("text", [t.format(PLANTED) for t in (*ASSIGNMENTS, *COMMANDS, *REQUESTS, *STATEMENTS)])
def test_a_marked_text_stays(text: str) -> None:
    once = redact(text)
    assert redact(once) == once


# ---- time


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "pass",
        "password=",
        'password="',
        "password='\\",
        'password=\\"',
        "password:   ",
        "curl -u ",
        "eyJ",
        "sk-",
        "a://b:c@",
        "aaa:bbb@",
        "-----BEGIN PRIVATE" + " KEY-----",
        "-----END PRIVATE" + " KEY-----",
        "QUJD",
        " ",
        "\\",
        '"',
        "echo a ",
        "htpasswd -b ",
        "cookie: a=b; ",
        "authorization: ",
        "name: key value ",
        "<password>",
        "${TOKEN:-",
        "password=[{(",
    ],
)
def test_four_times_the_text_takes_about_four_times_as_long(unit: str) -> None:
    assert pace.times(redact, (unit * 40_000)[:40_000], (unit * 10_000)[:10_000], enough=8) < 8
