"""DIA-5: one error has one fingerprint, whatever paths, numbers and names it carries; two errors have two."""

import re
import string
from itertools import combinations
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxfinder.gate.fingerprints import MESSAGE_CHARS_MAX, fingerprint
from tests import pace

# ---- the seed's four examples


@pytest.mark.rule("DIA-5")
@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("ENOENT: no such file or directory, open '/path/to/file.txt'", "enoent no such file or directory open"),
        ("ENOENT: no such file or directory, open '/other/path/file.txt'", "enoent no such file or directory open"),
        ("ENOENT: file not found", "enoent file not found"),
        ("EACCES: permission denied", "eacces permission denied"),
    ],
)
def test_the_examples_hold_to_the_letter(message: str, expected: str) -> None:
    assert fingerprint(message) == expected


# ---- one block, one error; a family's errors all differ

TABLE: Final = r"""
== python

Traceback (most recent call last):⏎
  File "/srv/a.py", line 3, in run⏎
    rows[key]⏎
KeyError: 'id'
Traceback (most recent call last):⏎
  File "b.py", line 90, in <module>⏎
    main()⏎
  File "b.py", line 7, in main⏎
    return table[name]⏎
           ~~~~~^^^^^^⏎
KeyError: 'colour'
KeyError: 3

NameError: name 'x' is not defined
NameError: name 'total_price' is not defined

TypeError: area() takes 2 positional arguments but 3 were given
TypeError: Shape.scale() takes 1 positional argument but 12 were given

ModuleNotFoundError: No module named 'yaml'
ModuleNotFoundError: No module named 'google.cloud'

FileNotFoundError: [Errno 2] No such file or directory: 'a.csv'
FileNotFoundError: [Errno 2] No such file or directory: '/data/2024/b.csv'

PermissionError: [Errno 13] Permission denied: '/etc/shadow'

OSError: [Errno 28] No space left on device
OSError: [Errno 28] No space left on device: '/tmp/x'

AttributeError: 'NoneType' object has no attribute 'split'
AttributeError: 'Order' object has no attribute 'items'

ValueError: invalid literal for int() with base 10: 'ten'
ValueError: invalid literal for int() with base 10: '3.5'

json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)
json.decoder.JSONDecodeError: Expecting value: line 40 column 12 (char 911)

requests.exceptions.HTTPError: 404 Client Error: Not Found for url: https://example.com/a
requests.exceptions.HTTPError: 404 Client Error: Not Found for url: http://other.org/b?c=1

requests.exceptions.HTTPError: 500 Server Error: Internal Server Error for url: https://example.com/a

== pytest

    def test_sum():⏎
>       assert add(1, 2) == 4⏎
E       assert 3 == 4⏎
E        +  where 3 = add(1, 2)
    def test_sum():⏎
        x = 5⏎
>       assert add(x, 2) == 8⏎
E       assert 7 == 8⏎
E        +  where 7 = add(5, 2)⏎⏎
tests/test_a.py:9: AssertionError

E   fixture 'db' not found
E   fixture 'client' not found

E   ModuleNotFoundError: No module named 'numpy'

== node and npm

/app/a.js:10⏎
    user.name();⏎
         ^⏎⏎
TypeError: Cannot read properties of undefined (reading 'name')⏎
    at Object.<anonymous> (/app/a.js:10:9)⏎
    at Module._compile (node:internal/modules/cjs/loader:1105:14)
/srv/web/b.js:7⏎
  row.cells.map(draw)⏎
            ^⏎⏎
TypeError: Cannot read properties of undefined (reading 'map')⏎
    at draw (/srv/web/b.js:7:13)

ReferenceError: fetch is not defined

Error: Cannot find module 'express'
Error: Cannot find module './lib/db.js'

Error: connect ECONNREFUSED 127.0.0.1:5432
Error: connect ECONNREFUSED 10.0.0.7:6379

Error: connect ETIMEDOUT 10.0.0.7:6379

Error: listen EADDRINUSE: address already in use :::3000
Error: listen EADDRINUSE: address already in use 0.0.0.0:8080

npm ERR! missing script: build
npm ERR! missing script: lint

npm ERR! 404 Not Found - GET https://registry.example.org/left-pad - Not found
npm ERR! 404 Not Found - GET https://registry.example.org/@acme%2fui - Not found

npm ERR! code ERESOLVE

npm ERR! code ENOENT

== go

panic: runtime error: index out of range [5] with length 3⏎⏎
goroutine 1 [running]:⏎
main.main()⏎
⇥/srv/ann/x.go:5 +0x1d⏎
exit status 2
panic: runtime error: index out of range [12] with length 12⏎⏎
goroutine 34 [running]:⏎
main.read(0x3)⏎
⇥/src/read.go:50 +0x9f⏎
main.main()⏎
⇥/src/main.go:8 +0x12⏎
exit status 2

panic: runtime error: invalid memory address or nil pointer dereference

panic: assignment to entry in nil map⏎⏎
goroutine 7 [running]:⏎
main.f()
panic: assignment to entry in nil map

./main.go:5:2: undefined: Foo
cmd/x/y.go:17:9: undefined: parseAll

./main.go:4:2: "os" imported and not used
./b.go:9:2: "net/http" imported and not used

== rust

error[E0382]: borrow of moved value: `v`⏎
 --> src/main.rs:6:20⏎
  |⏎
4 |     let v = vec![1];⏎
6 |     dbg!(v);⏎
  |          ^ value borrowed here⏎
  = note: move occurs
error[E0382]: borrow of moved value: `names`⏎
   --> src/lib.rs:106:2⏎
    |⏎
106 |  show(names);⏎
    |       ^^^^^

error[E0499]: cannot borrow `x` as mutable more than once at a time
error[E0499]: cannot borrow `self.rows` as mutable more than once at a time

thread 'main' panicked at src/main.rs:4:5:⏎
index out of bounds: the len is 3 but the index is 99⏎
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
thread 'worker-3' panicked at src/pool.rs:44:17:⏎
index out of bounds: the len is 0 but the index is 0

error: could not compile `app` (bin "app") due to 1 previous error
error: could not compile `tool` (bin "tool") due to 3 previous errors

== java

Exception in thread "main" java.lang.NullPointerException⏎
⇥at com.acme.Shop.buy(Shop.java:42)⏎
⇥... 3 more
Exception in thread "pool-1" java.lang.NullPointerException⏎
⇥at org.other.Thing.run(Thing.java:7)

Exception in thread "main" java.lang.ArrayIndexOutOfBoundsException: Index 5 out of bounds for length 3
Exception in thread "main" java.lang.ArrayIndexOutOfBoundsException: Index 9 out of bounds for length 9

java.lang.ClassNotFoundException: com.acme.Shop
java.lang.ClassNotFoundException: org.other.deep.Thing

java.lang.IllegalStateException: no pool⏎
⇥at a.b.C.d(C.java:1)⏎
Caused by: java.io.IOException: reset by peer
java.lang.IllegalStateException: no pool⏎
⇥at x.y.Z.w(Z.java:9)⏎
⇥at x.y.Z.v(Z.java:12)⏎
Caused by: java.io.IOException: reset by peer⏎
⇥at java.base/java.net.Socket.read(Socket.java:33)

java.lang.IllegalStateException: no pool⏎
⇥at a.b.C.d(C.java:1)

== c compilers

a.c: In function 'main':⏎
a.c:3:5: error: 'x' undeclared (first use in this function)⏎
    3 |     x = 1;⏎
      |     ^
src/b.c: In function 'read_all':⏎
src/b.c:90:12: error: 'size' undeclared (first use in this function)

a.c:3:5: error: expected ';' before 'return'
lib/q.c:31:15: error: expected ')' before 'int'

/usr/bin/ld: a.o: undefined reference to `main'
/usr/bin/ld: /tmp/cc8x.o: undefined reference to `sqrt'

src/a.ts(12,5): error TS2304: Cannot find name 'x'.
web/b.ts(1,19): error TS2304: Cannot find name 'Row'.

src/a.ts(12,5): error TS2552: Cannot find name 'x'.

make: *** [Makefile:12: all] Error 2
make: *** [Makefile:77: all] Error 2

== sql

ORA-00942: table or view does not exist

ORA-01017: invalid username/password; logon denied

ERROR: relation "users" does not exist
ERROR: relation "public.orders" does not exist

ERROR: column "age" does not exist
ERROR: column users.nickname does not exist

UNIQUE constraint failed: users.email
UNIQUE constraint failed: orders.number

FOREIGN KEY constraint failed

no such table: users
no such table: order_lines

Duplicate entry 'bob' for key 'users.name'
Duplicate entry '12-7' for key 'PRIMARY'

ERROR 1045 (28000): Access denied for user 'bob'@'localhost' (using password: YES)
ERROR 1045 (28000): Access denied for user 'ann'@'10.0.0.3' (using password: YES)

ERROR 1049 (42000): Unknown database 'shop'
ERROR 1049 (42000): Unknown database 'crm2'

SQLSTATE[42S02]: not found

SQLSTATE[23000]: not found

== http

HTTP 404
HTTP/1.1 404

HTTP 500

Request failed with status code 404

Request failed with status code 503

upstream responded with 502 after 30 s
upstream responded with 502 after 1200 ms

upstream responded with 504 after 30 s

status=429 path=/v1/items

status=401 path=/v1/items
status=401 path=/v2/users/77

== kubernetes and containers

Error from server (NotFound): pods "web-5d4f" not found
Error from server (NotFound): pods "db" not found

Error from server (Forbidden): pods "web-5d4f" is forbidden

Back-off restarting failed container app in pod web-6d4b75cb6d-hwd2x_default(0c1)
Back-off restarting failed container app in pod web-7f9c64f7d5-z8xkq_prod(77a)

Readiness probe failed: Get "http://10.1.2.3:8080/healthz": dial tcp 10.1.2.3:8080: connect: connection refused
Readiness probe failed: Get "http://10.9.0.4:9090/ready": dial tcp 10.9.0.4:9090: connect: connection refused

Failed to pull image "nginx:1.19": not found
Failed to pull image "registry.example.org/app:v3": not found

process exited with code 137

process exited with code 1

== shells

bash: foo: command not found
bash: kubectl: command not found

rm: cannot remove 'a': Is a directory
rm: cannot remove '/srv/b/': Is a directory

fatal: pathspec 'a.txt' did not match any files
fatal: pathspec 'src/b' did not match any files

fatal: not a git repository (or any of the parent directories): .git

Error: Process completed with exit code 1.

Error: Process completed with exit code 2.

Found 1 error.
Found 3 errors.

== supercomputer

instruction cache parity error corrected

data TLB error interrupt

generating core.2275
generating core.862

CE sym 2, at 0x0b85eee0, mask 0x05
CE sym 33, at 0x1f2a0040, mask 0x80

ciod: Error loading /g/g24/ann/run/mfc: invalid or missing program image, No such file or directory
ciod: Error loading /srv/bo/a.out: invalid or missing program image, No such file or directory

ciod: LOGIN chdir(/p/gb1/a/2183) failed: No such file or directory
ciod: LOGIN chdir(/srv/x) failed: No such file or directory

ciod: failed to read message prefix on control stream (CioStream socket to 172.16.96.116:33569
ciod: failed to read message prefix on control stream (CioStream socket to 172.16.100.9:35007

critical input interrupt (unit=0x0b bit=0x0a): warning for torus z- wire, suppressing further interrupts
critical input interrupt (unit=0x0c bit=0x1b): warning for torus x+ wire, suppressing further interrupts

illegal instruction...............0
illegal instruction...............1

unimplemented operation..........0

total of 1 ddr error(s) detected and corrected
total of 27 ddr error(s) detected and corrected

rts: kernel terminated for reason 1004
rts: kernel terminated for reason 1001

iar 003a90fc dear 00eea55c
iar 001056e4 dear ffffabcd

fpr29=0xffffffff ffffffff ffffffff 00000000
fpr3=0x00000000 3fe00000 bbbbbbbb ffffffff

Shutting down NodeCard(mLctn(R11-M0-N1), mLp(FF:F2:9F:15:7A:F9:00:0D:60:EA:E7:C8), mIp(10.3.0.20)), action 475
Shutting down NodeCard(mLctn(R30-M1-NC), mLp(FF:F2:9F:16:DC:AD:00:0D:60:E9:23:6A), mIp(10.2.1.9)), action 61

Ido chip status changed: FF:F2:9F:16:C6:78:00:0D:60:E9:2B:18 ip=10.1.0.134 v=9 t=2 Thu Jun 09 15:45:23 PDT 2005
Ido chip status changed: FF:F2:9F:15:7E:BB:00:0D:60:EA:CB:EC ip=10.0.1.24 v=13 t=4 Wed Dec 21 09:01:02 PST 2005

Node card VPD check: missing U01 node on R24-M0-N3
Node card VPD check: missing U11 node on R30-M1-NC

== storage

StorageServer: domain root_domain is full
StorageServer: domain clusterBackup is full
StorageServer: domain spare14_local is full

StorageServer: domain root_domain is read only

could not resolve mail-relay.org over IPv6
could not resolve Acme.com over IPv6

could not resolve mail-relay.org over IPv4

inconsistent sets node-1 0x01fc <ok> node-2 0x01fc <ok>
inconsistent sets node-160 0x01 <ok> node-161 0x1001 <ok> node-162 0x1001 <ok>

mount error error:timeout

mount error error:refused

write refused (0x80070005)

write refused (0x80070020)

Server environment:java.version=1.8.0
Server environment:java.version=17

Server environment:java.home=/usr/lib/jvm
Server environment:java.home=/opt/java

== ssh server

Failed password for root from 112.95.230.3 port 45378 ssh2
Failed password for ann from 5.36.59.76 port 1 ssh2

Failed password for invalid user webmaster from 173.234.31.186 port 38926 ssh2
Failed password for invalid user 0 from 181.214.87.4 port 51889 ssh2

Accepted password for bob from 119.137.62.142 port 49116 ssh2
Accepted password for curi from 137.189.90.232 port 40 ssh2

Invalid user test9 from 52.80.34.196
Invalid user admin from 10.3.4.5
Invalid user  from 10.3.4.5

input_userauth_request: invalid user webmaster [preauth]
input_userauth_request: invalid user pi [preauth]

Received disconnect from 52.80.34.196: 11: Bye Bye [preauth]
Received disconnect from 1.2.3.4: 3: Bye Bye [preauth]

Received disconnect from 1.2.3.4: 11: disconnected by user

error: Received disconnect from 1.2.3.4: 14: No more user authentication methods available. [preauth]

Connection closed by 173.234.31.186 [preauth]
Connection closed by 2001:db8::ff00:42:8329 [preauth]

pam_unix(sshd:auth): check pass; user unknown

pam_unix(sshd:session): session opened for user ann by (uid=0)
pam_unix(sshd:session): session opened for user root by (uid=0)

pam_unix(sshd:session): session closed for user ann
pam_unix(sshd:session): session closed for user bob

reverse mapping checking getaddrinfo for ns.example.com [173.234.31.186] failed - POSSIBLE BREAK-IN ATTEMPT!
reverse mapping checking getaddrinfo for 5-36.customer.example.net [5.36.59.76] failed - POSSIBLE BREAK-IN ATTEMPT!

authentication failure; uid=0 tty=ssh rhost=1.2.3.4  user=root
authentication failure; uid=0 tty=ssh rhost=5.6.7.8  user=root

authentication failure; uid=0 tty=ssh rhost=1.2.3.4  user=ann
authentication failure; uid=0 tty=ssh rhost=1.2.3.4  user=bob7

authentication failure; uid=0 tty=ssh rhost=1.2.3.4
authentication failure; uid=0 tty=ssh rhost=a.example.com

== cloud platform

[instance: b9000564-fe1a-409b-b8cc-1e88b294cd1d] VM Started (Lifecycle Event)
[instance: 96abccce-8d1f-4e07-b6d1-4b2ab87e23b4] VM Started (Lifecycle Event)

[instance: b9000564-fe1a-409b-b8cc-1e88b294cd1d] VM Paused (Lifecycle Event)

[instance: b9000564-fe1a-409b-b8cc-1e88b294cd1d] Took 19.84 seconds to build instance.
[instance: 96abccce-8d1f-4e07-b6d1-4b2ab87e23b4] Took 1 second to build instance.

10.11.10.1 "GET /v2/54fadb41/servers/detail HTTP/1.1" status: 200 len: 1893 time: 0.2477829
10.11.21.122,10.11.10.1 "GET /openstack/2013-10-17/user_data HTTP/1.1" status: 404 len: 176 time: 0.1

10.11.10.1 "POST /v2/54fadb41/servers HTTP/1.1" status: 202 len: 733 time: 0.4759

Total memory: 64172 MB, used: 512.00 MB
Total memory: 128 GB, used: 2560.00 MB

Successfully synced instances from host 'cp-1.example.org'.
Successfully synced instances from host 'cp2'.

image 0673dd71-34c5-4fbb-86c4-40623fbe45b4 at (/var/lib/a): checking
image a1b2c3d4-34c5-4fbb-86c4-40623fbe45b4 at (/srv/b/c): checking

== step counter

onStandStepChanged 3579
onStandStepChanged 41

onExtend:1514038530000 14 0 4
onExtend:1514038531000 1 0 40

getTodayTotalDetailSteps = 1514038440000##6993##548365
getTodayTotalDetailSteps = 1##2##3##4

setTodayTotalDetailSteps=1514038440000##7007##548365
setTodayTotalDetailSteps=9##7##5

checkInsertStatus stepSyncOrNot=false
checkInsertStatus stepSyncOrNot=true

processHandleBroadcastAction action:android.intent.action.SCREEN_ON

processHandleBroadcastAction action:android.intent.action.TIME_TICK

== telephone

acquire lock=233570404, flags=0x1, tag="View Lock", name=com.android.systemui, ws=null, uid=10037, pid=2227
acquire lock=62617001, flags=0x9, tag="View Lock", name=com.example.mail, ws=null, uid=10113, pid=31

acquire lock=1661, flags=0x1, tag="RILJ_ACK_WL", name=com.android.phone, ws=null, uid=1001, pid=2626

release:lock=166121161, flg=0x0, tag="View Lock", name=com.android.systemui", ws=null

HBM brightnessOut =38
HBM brightnessOut =255

HBM brightnessIn =38

Skipping AppWindowToken{df0798e token=Token{78af589 ActivityRecord{3b04890 u0 com.a.b/com.c.Player t7}}} going to hide
Skipping AppWindowToken{27b4a4a token=Token{70bc3b5 ActivityRecord{e27f2b6 u0 com.e.f/.g.Mail t3}}} going to hide

opening app, allDrawn= false, startingMoved =  false
opening app, allDrawn= true, startingMoved =  false

== cluster nodes

data_thread() got not answer from any [Cluster_A8] datasource
data_thread() got not answer from any [Cluster_B5] datasource

we failed to resolve data source name dn228 dn231 dn232
we failed to resolve data source name dn261

DHCPDISCOVER from 00:11:43:e3:ba:c3 via eth1
DHCPDISCOVER from 00:0e:ff:ab:cd:ef via eth0

DHCPDISCOVER from 00:11:43:e3:ba:c3 via eth1: network A_net: no free leases

j31IbFsD030466: to=<ann@example.org>, delay=00:02, mailer=smtp, relay=mx.example.org. [10.0.0.1], dsn=2.0.0, stat=Sent
jAA8x2fE001917: to=<bob@example.com>, delay=10:00, mailer=smtp, relay=a.example.net. [10.3.4.5], dsn=2.0.0, stat=Sent

j31IbFsD030466: to=<ann@example.org>, delay=00:02, mailer=smtp, dsn=4.0.0, stat=Deferred

synchronized to 10.100.20.250, stratum 3
synchronized to 10.100.16.250, stratum 2

connection from 24.54.76.216 (24-54-76-216.example.net) at Fri Jun 17 07:07:00 2005
connection from 82.83.227.67 (host.example.org) at Sat Nov  5 17:02:19 2005

== desktop servicing

Loaded Servicing Stack v6.1.7601.23505 with Core: C:\Windows\winsxs\amd64_x\cbscore.dll
Loaded Servicing Stack v10.0 with Core: D:\stack\cbscore.dll

Session: 30546173_4261722401 initialized by client WindowsUpdateAgent.
Session: 30546174_1 initialized by client WindowsUpdateAgent.

Read out cached applicability for package: Package_for_KB2928120~31bf~amd64~~6.1.2, ApplicableState: 112, CurrentState:7
Read out cached applicability for package: Package_for_KB3000~31bf~x86~~1.2, ApplicableState: 0, CurrentState:80

SQM: Queued 0 file(s) for upload with pattern: C:\a\sqm\*_all.sqm, flags: 0x6
SQM: Queued 4 file(s) for upload with pattern: E:\b\*_std.sqm, flags: 0x2

Failed to open package. [HRESULT = 0x800f0805 - CBS_E_INVALID_PACKAGE]

Failed to open package. [HRESULT = 0x80004005 - E_FAIL]

SQM: Initializing online with opt-in: False
SQM: Initializing online with opt-in: True

== coordination service

Received connection request /10.10.34.11:45307
Received connection request /10.10.34.13:1

Accepted socket connection from /10.10.34.13:40086
Accepted socket connection from /10.10.34.12:35

Notification time out: 3200
Notification time out: 60000

Expiring session 0x14f05578bd8000a, timeout of 10000ms exceeded
Expiring session 0x24ed93111f20017, timeout of 4000ms exceeded

Connection broken for id 188978561024, my id = 1, error =
Connection broken for id 2, my id = 3, error =

Interrupting SendWorker

Have smaller server identifier, so dropping the connection: (2, 1)
Have smaller server identifier, so dropping the connection: (3, 2)
"""


def families() -> dict[str, tuple[tuple[str, ...], ...]]:
    """The table, read; ⏎ stands for a line's end within a message and ⇥ for a tab."""
    found: dict[str, tuple[tuple[str, ...], ...]] = {}
    for family in re.split("^== ", TABLE, flags=re.MULTILINE)[1:]:
        title, _, blocks = family.partition("\n")
        found[title] = tuple(
            tuple(line.replace("⏎", "\n").replace("⇥", "\t") for line in block.splitlines())
            for block in blocks.replace("⏎\n", "⏎").strip("\n").split("\n\n")
        )
    return found


FAMILIES: Final = families()


@pytest.mark.rule("DIA-5")
@pytest.mark.parametrize(
    "messages",
    [
        pytest.param(messages, id=f"{family}: {messages[0][:40]}")
        for family, errors in FAMILIES.items()
        for messages in errors
        if len(messages) > 1
    ],
)
def test_one_error_has_one_fingerprint(messages: tuple[str, ...]) -> None:
    assert len({fingerprint(message) for message in messages}) == 1, [fingerprint(message) for message in messages]


@pytest.mark.rule("DIA-5")
@pytest.mark.parametrize("errors", FAMILIES.values(), ids=FAMILIES.keys())
def test_different_errors_have_different_fingerprints(errors: tuple[tuple[str, ...], ...]) -> None:
    prints = [(fingerprint(messages[0]), messages[0]) for messages in errors]
    assert [(a[1], b[1]) for a, b in combinations(prints, 2) if a[0] == b[0]] == []
    assert all(found for found, _ in prints)


# ---- what varies, in any message


def numbers() -> st.SearchStrategy[str]:
    whole = st.integers(-(10**12), 10**12).map(str)
    return whole | st.decimals(0, 1000, places=3).map(str) | st.integers(0, 2**64).map(hex)


def paths() -> st.SearchStrategy[str]:
    piece = st.text(string.ascii_letters + string.digits + "_-.", min_size=1, max_size=12)
    pieces = st.lists(piece, min_size=2, max_size=6)
    return pieces.map("/".join).map("/{}".format) | pieces.map("\\".join).map("C:\\{}".format)


def quoted() -> st.SearchStrategy[str]:
    name = st.text(string.ascii_letters + string.digits + "_-./ ", min_size=1, max_size=30).filter(
        lambda text: text.count(" ") < 2
    )
    return st.builds("{0}{1}{0}".format, st.sampled_from("\"'`"), name)


VARYING = {
    "a number": numbers(),
    "a path": paths(),
    "a quoted name": quoted(),
    "an address": st.ip_addresses().map(str),
    "an address and port": st.builds("{}:{}".format, st.ip_addresses(v=4), st.integers(1, 65535)),
    "a uuid": st.uuids().map(str),
    "a time": st.datetimes().map(str),
    "a date in words": st.datetimes().map(lambda moment: moment.strftime("%a %b %d %H:%M:%S %Y")),
    "a url": st.builds("https://{}.example.org/{}?q={}".format, *[st.text(string.ascii_lowercase, min_size=1)] * 3),
    "a size": st.builds("{} {}".format, st.integers(0, 10**9), st.sampled_from(["bytes", "KB", "MiB", "GB"])),
    "a duration": st.builds("{} {}".format, st.integers(0, 10**9), st.sampled_from(["ms", "s", "seconds", "minutes"])),
}


@pytest.mark.rule("DIA-5")
@pytest.mark.parametrize("values", VARYING.values(), ids=VARYING.keys())
@given(data=st.data())
def test_what_varies_leaves_nothing_behind(values: st.SearchStrategy[str], data: st.DataObject) -> None:
    value = data.draw(values)
    assert fingerprint(f"Upload failed {value} while writing the archive") == "upload failed while writing the archive"
    assert fingerprint(f"E4711: disk quota exceeded, gave up at {value}") == "e4711 disk quota exceeded gave up at"


@pytest.mark.rule("DIA-5")
@given(st.from_regex(r"[a-z]{5,9}[0-9]?", fullmatch=True), st.from_regex(r"[a-z]{5,9}[0-9]?", fullmatch=True))
def test_who_it_happened_to_does_not_matter(one: str, other: str) -> None:
    for text in (
        "session closed for user {}",
        "login failed: user={} reason=expired",
        "Denied password for {} from host",
    ):
        assert fingerprint(text.format(one)) == fingerprint(text.format(other))


# ---- what does not vary


CODED = (
    "error[{}]: rejected",
    "compile error {}: rejected",
    "{}: table or view does not exist",
)


@pytest.mark.rule("DIA-5")
@pytest.mark.parametrize("text", CODED)
@given(
    prefix=st.sampled_from(["E", "TS", "CS", "ORA-", "LNK", "MSB"]),
    one=st.integers(1000, 9999),
    other=st.integers(1000, 9999),
)
def test_codes_tell_errors_apart(text: str, prefix: str, one: int, other: int) -> None:
    prints = {fingerprint(text.format(f"{prefix}{number}")) for number in (one, other)}
    assert len(prints) == len({one, other})


@pytest.mark.rule("DIA-5")
@pytest.mark.parametrize(
    "text",
    [
        "HTTP {}",
        "HTTP/1.1 {}",
        "Request failed with status code {}",
        "status: {}",
        "status={}",
        "HTTP Error {}: refused",
    ],
)
@given(one=st.integers(400, 599), other=st.integers(400, 599))
def test_failures_of_http_are_told_apart(text: str, one: int, other: int) -> None:
    assert (fingerprint(text.format(one)) == fingerprint(text.format(other))) == (one == other)


@pytest.mark.rule("DIA-5")
@pytest.mark.parametrize(
    "text",
    [
        "[Errno {}] refused",
        "[WinError {}] refused",
        "exit status {}",
        "exit code: {}",
        "killed by signal {}",
        "errno={}",
    ],
)
@given(one=st.integers(1, 255), other=st.integers(1, 255))
def test_numbers_of_errors_are_codes(text: str, one: int, other: int) -> None:
    assert (fingerprint(text.format(one)) == fingerprint(text.format(other))) == (one == other)


@pytest.mark.rule("DIA-5")
def test_a_successful_status_is_no_code() -> None:
    assert fingerprint("sync done, status: 200") == fingerprint("sync done, status: 204")


@pytest.mark.rule("DIA-5")
def test_it_is_not_cut_at_fifty_characters() -> None:
    shared = "the nightly import could not be completed because one of the many steps of it failed, namely the "
    assert len(shared) > 50
    assert fingerprint(shared + "download") != fingerprint(shared + "upload")


# ---- any message at all


@pytest.mark.rule("DIA-5")
@given(st.text(max_size=300) | st.text("aA0./\\:'\"`^~|=<>()[]{} \n\tE", max_size=300))
def test_any_text_has_a_tidy_fingerprint(message: str) -> None:
    found = fingerprint(message)
    assert found == fingerprint(message)
    assert found == " ".join(found.split())
    assert re.fullmatch(r"[\w -]*", found)


@pytest.mark.rule("DIA-5")
@given(st.lists(st.text(string.ascii_lowercase, min_size=1, max_size=10), max_size=12))
def test_case_does_not_matter_in_plain_words(words: list[str]) -> None:
    text = " ".join(words)
    assert fingerprint(text) == fingerprint(text.upper()) == fingerprint(text).lower()


@pytest.mark.rule("DIA-5")
@pytest.mark.parametrize("message", ["", " ", "\n\n", "12 34 /a/b", "'x'", "  at a.b(c.js:1)", "^^^^", "....", "0x1f"])
def test_a_message_that_says_nothing_has_a_fingerprint_too(message: str) -> None:
    assert fingerprint(message) == fingerprint(f" {message} ")


@pytest.mark.rule("DIA-5")
def test_what_was_seen_before_does_not_matter() -> None:
    message = "Lease of worker-7 on shard12 lost after 30 s: ECONNRESET"
    first = fingerprint(message)
    for number in range(10_000):
        fingerprint(f"token{number}x worker-{number} shard{number} lost")
    assert fingerprint(message) == first == "lease of on shard lost after econnreset"


@pytest.mark.rule("DIA-5")
@pytest.mark.parametrize("frames", [1, 30, 3_000])
def test_the_error_is_found_at_the_end_of_any_trace(frames: int) -> None:
    frame = '  File "/srv/app/deep.py", line 7, in descend\n    return descend(depth - 1)\n'
    message = f"Traceback (most recent call last):\n{frame * frames}RecursionError: maximum recursion depth exceeded"
    assert fingerprint(message) == "recursionerror maximum recursion depth exceeded"


@pytest.mark.rule("DIA-5")
@pytest.mark.parametrize("frames", [1, 30, 300])
def test_a_cause_is_found_in_the_middle_of_a_trace(frames: int) -> None:
    frame = "\n\tat org.acme.shop.Basket.add(Basket.java:42)"
    message = f"java.lang.IllegalStateException: closed{frame * frames}\nCaused by: java.io.IOException: reset"
    message += frame * frames
    assert fingerprint(message) == "illegalstateexception closed caused by ioexception reset"


@pytest.mark.rule("DIA-5")
def test_work_on_a_long_message_is_bounded() -> None:
    assert fingerprint("write failed: " + "no " * MESSAGE_CHARS_MAX + "end") == "write failed no"
    many = "".join(f"step {word} failed\n" for word in ("one", *["two"] * MESSAGE_CHARS_MAX, "three"))
    assert fingerprint(many).startswith("step one failed step two failed")
    assert fingerprint(many).endswith("step two failed step three failed")
    assert len(fingerprint(many)) <= MESSAGE_CHARS_MAX


@pytest.mark.rule("DIA-5")
@pytest.mark.parametrize(
    "piece",
    [
        "'",
        '"a',
        "`'",
        " ",
        "^",
        "|",
        "1",
        "a_",
        "a.",
        "A_",
        ":",
        "f:",
        "/",
        "\\",
        "(",
        "1 ",
        "a1",
        "x@",
        "\n",
        "\n^",
        "E   \n",
        "=",
        "aB",
    ],
)
@pytest.mark.parametrize("end", ["", "!", "x\n"])
def test_nasty_messages_take_little_longer_than_prose(piece: str, end: str) -> None:
    assert pace.times_prose(fingerprint, (piece * 300_000)[:300_000] + end, enough=100) < 100
