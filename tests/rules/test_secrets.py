"""Secrets leave a mark where they stood, in whatever text they stand; what is no secret stays as it is."""

import base64
import json
import shlex
import string
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cruxfinder.rules.secrets import MARK, redacted

PLANTED = "Zq7" + "x4Lp9Wd2Rk"  # no word of any text around it
LETTERS = string.ascii_letters + string.digits


def hidden(text: str, secret: str) -> bool:
    """Is there no run of eight letters of the secret left?"""
    after = redacted(text)
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
    r'{{\\\"token\\\": \\\"{}\\\"}}',
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
    "https://{}token1@github.com/a/b.git",
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
    assert redacted(text.format(PLANTED)) == left.replace("{{", "{").replace("}}", "}")


@pytest.mark.parametrize(
    "text",
    [
        "password: 'correct horse battery staple'",
        '{"passphrase": "correct horse battery staple"}',
        "tool --password 'correct horse battery staple' run",
        "mysql -p'correct horse battery staple' main",
        "ALTER USER ann WITH PASSWORD 'correct horse battery staple'",
        "passphrase: correct horse battery staple",
    ],
)
def test_a_secret_may_hold_blanks(text: str) -> None:
    assert "horse" not in redacted(text) and "staple" not in redacted(text)


@pytest.mark.parametrize("quoted", [shlex.quote, json.dumps, repr])
def test_a_quote_inside_does_not_end_a_secret(quoted: object) -> None:
    assert callable(quoted)
    for secret in ("abc'defghijkl", 'abc"defghijkl', "abc\\defghijkl", "ab'c\"d'efghijkl"):
        assert "efghi" not in redacted(f"tool --password {quoted(secret)} -v")


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
    "permissions:\n  id-token: write",
    "curl -u ann https://host.example/",
    "echo hello | sudo tee /etc/motd",
    "htpasswd -c /etc/httpd/users ann",
    "openssl rsa -passin env:KEY_PASS -in a",
)


@pytest.mark.parametrize("text", STAYS)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redacted(text) == text
