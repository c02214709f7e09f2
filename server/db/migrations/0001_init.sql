-- The schema. Every table that belongs to a user starts its keys with `bucket` (0..1023, computed in Node from
-- environment and user, never changed), so that a statement about a user names one place and users can move to
-- other machines by moving rows. Environments, types and templates have none: every machine has them all.
-- No sequence, no trigger, no foreign key between user tables.

-- Lower bound of the uuidv7 of an instant: partition bounds and time ranges over ids.
create function uuid_at(t timestamptz) returns uuid language sql immutable strict parallel safe as $$
  select (lpad(to_hex(floor(extract(epoch from t) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- The instant that a uuidv7 names, to the millisecond.
create function uuid_time(id uuid) returns timestamptz language sql immutable strict parallel safe as $$
  select to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)
$$;

-- Whether a send may have failed by what was decided, or in a digest that another send leads: no row of `attempts` says so.
-- The decisions are those of kind `failed` (server/logs/status-labels.ts). A missing address counts only if no channel goes out.
create function may_have_failed(decisions jsonb, digests jsonb) returns boolean
language sql immutable parallel safe as $$
  select digests is not null or decisions = '{}' or jsonb_path_match(decisions,
    'exists($.* ? (@ == "address-bounced" || @ == "attachment-too-large" || @ == "malformed-address" || @ == "no-provider" || @ == "no-template" || @ == "render-failed" || @ == "too-long"))
      || exists($.* ? (@ == "no-address")) && !exists($.* ? (@ == "sent" || @ == "held" || @ == "digest" || @ == "digested" || @ == "scheduled" || @ == "delayed"))')
$$;

-- What one installation knows about itself: hash of the admin token, VAPID keys, first environment.
create table instance (
  key text primary key,
  value jsonb not null
);

-- Processes of this installation (server/admin/nodes/). Each writes its row every few seconds, so an old row means nothing.
create unlogged table nodes (
  id uuid primary key,
  role text not null,
  version text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null default now(),
  state jsonb not null
) with (fillfactor = 50);

-- Queues that an operator has paused, for all environments (server/queue/pauses/). Without `until`: until somebody resumes it.
create table queue_pauses (
  queue text primary key,
  paused_by text not null,
  paused_at timestamptz not null default now(),
  until timestamptz
);

-- Housekeeping: the node that moves `due_at` forward runs the tick, so each tick runs on one node.
create table ticks (
  name text primary key,
  due_at timestamptz not null default now()
);

-- Secrets are encrypted (server/environments/encryption/encryption.ts). The previous secret is valid until `previous_until`. No
-- request finds a row with `deleted_at`; housekeeping deletes it after all data of the environment.
create table environments (
  id text primary key,
  secret bytea not null,
  previous_secret bytea,
  previous_until timestamptz,
  settings jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);

-- API keys of environments (server/environments/api-keys/). `hash`: sha256 of the key, whose text is not stored. `start`: its first
-- characters. `last_used_at` is at most a minute late.
create table api_keys (
  id uuid primary key,
  env_id text not null references environments on delete cascade,
  name text not null,
  scopes text[] not null,
  hash bytea not null unique,
  start text not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index api_keys_of_environment on api_keys (env_id, id);

-- Members: people who signed in (server/operators/). `issuer`: of the OpenID provider that names them by `subject`; empty for the
-- admin token, whose subject is its name in the audit log. `role`: as of the last time that they signed in.
create table members (
  id uuid primary key,
  issuer text not null,
  subject text not null,
  name text not null,
  email text,
  role text not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  blocked_at timestamptz,
  blocked_by text,
  unique (issuer, subject)
);

-- Sessions of members. `hash`: sha256 of the value of the cookie, which is not stored. Ended ones are deleted. `last_used_at` is at
-- most a minute late.
create table member_sessions (
  id uuid primary key,
  member_id uuid not null references members on delete cascade,
  hash bytea not null unique,
  address text not null,
  browser text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index member_sessions_of_member on member_sessions (member_id, id);

-- What operators did (server/http/audit/): rows are only inserted, and deleted by their age. They outlive their environment,
-- and have no bucket, because they are about operators. `id`: uuidv7, which is the time. `user_digest`: server/core/hash.ts.
-- `action`: operation id of the API reference. `subject`: id of what the path names beside environment and user, such as a send.
create table audit_calls (
  id uuid primary key,
  actor text not null,
  action text not null,
  method text not null,
  route text not null,
  env_id text,
  user_digest text,
  subject text,
  address text not null
);
create index audit_calls_of_environment on audit_calls (env_id, id) where env_id is not null;
create index audit_calls_of_actor on audit_calls (actor, id);
create index audit_calls_of_action on audit_calls (action, id);
create index audit_calls_of_user on audit_calls (user_digest, id) where user_digest is not null;
create index audit_calls_of_subject on audit_calls (subject, id) where subject is not null;

-- How a call was answered, in a row of its own because the call is stored before it is executed. The client id of a new environment
-- and the user whom a body names are known only now.
create table audit_answers (
  id uuid primary key references audit_calls on delete cascade,
  status smallint not null,
  env_id text,
  user_digest text
);
create index audit_answers_of_environment on audit_answers (env_id, id) where env_id is not null;
create index audit_answers_of_user on audit_answers (user_digest, id) where user_digest is not null;

-- A notification type as sends use it. `settings`: title, enabled, options per channel, retention, throttling, de-duplication.
-- `published_version`: the version with the same content; null for a type that a send has created. `managed_by`: 'files' if a
-- file of NOTIF_TYPES_DIR has the type.
create table notifications (
  env_id text not null references environments on delete cascade,
  id text not null,
  title text not null,
  channels text[] not null default '{}',
  settings jsonb not null default '{}',
  published_version integer,
  managed_by text,
  updated_at timestamptz not null default now(),
  primary key (env_id, id)
);

-- `id = ''` is the default template of a channel; `@de` its German form, `short@de` that of another one.
create table templates (
  env_id text not null,
  notification_id text not null,
  channel text not null,
  id text not null default '',
  content jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (env_id, notification_id, channel, id),
  foreign key (env_id, notification_id) references notifications on delete cascade
);

-- Saved versions of types with their templates (server/types/versions/): rows are only inserted, and the oldest ones deleted.
-- `content`: title, channels, settings and templates.
create table type_versions (
  env_id text not null,
  notification_id text not null,
  number integer not null,
  content jsonb not null,
  note text,
  created_by text not null,
  created_at timestamptz not null default now(),
  primary key (env_id, notification_id, number),
  foreign key (env_id, notification_id) references notifications on delete cascade
);

-- When which version of a type was published, by whom: sends after that use it.
create table type_publications (
  env_id text not null,
  notification_id text not null,
  published_at timestamptz not null default clock_timestamp(),
  version integer not null,
  published_by text not null,
  primary key (env_id, notification_id, published_at),
  foreign key (env_id, notification_id) references notifications on delete cascade
);

-- Layouts and partials, which the templates of an environment share. They are expanded when a type is read, so that a
-- send reads nothing more than before.
create table template_partials (
  env_id text not null references environments on delete cascade,
  kind text not null check (kind in ('layouts', 'partials')),
  id text not null,
  text text not null,
  updated_at timestamptz not null default now(),
  primary key (env_id, kind, id)
);

-- Titles of sub-notifications, named by back ends: what a type is about, such as one project of many. `key`: digest of
-- the id, because two ids of the longest kind and an environment are more than an index row may hold.
create table sub_notifications (
  env_id text not null,
  notification_id text not null,
  key bytea not null,
  id text not null,
  title text not null,
  primary key (env_id, notification_id, key),
  foreign key (env_id, notification_id) references notifications on delete cascade
);

-- Groups of users that back ends make and broadcasts address (server/users/topics/). Their members are in `topic_members`.
create table topics (
  env_id text not null references environments on delete cascade,
  id text not null,
  title text not null,
  created_at timestamptz not null default now(),
  primary key (env_id, id)
);

-- Deleted topics whose members are not all removed yet. A topic with the same id is created only after that.
create table deleted_topics (
  env_id text not null references environments on delete cascade,
  id text not null,
  primary key (env_id, id)
);

create table users (
  bucket smallint not null,
  env_id text not null,
  id text not null,
  email text,
  -- The address that mail came back from, why and when: nothing more is sent there.
  email_bounce jsonb,
  number text,
  timezone text,
  -- BCP 47
  locale text,
  -- Channel or person to write to; without one it is what the connection names.
  slack_channel text,
  -- The connection without its secrets, for the eye; and whole, encrypted (server/environments/encryption/encryption.ts).
  slack jsonb,
  slack_token bytea,
  -- Channels that are off as a whole, pause and quiet hours (server/users/preferences/delivery-settings.ts). Null: none.
  delivery_settings jsonb,
  properties jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  seen_at timestamptz,
  primary key (bucket, env_id, id)
);
-- The users of an environment, all or by the beginning of an id, email address or number. Bytes are compared, so that the
-- order is that of Node. Times are in no index, so that being seen costs none.
create index users_of_environment on users (env_id, id collate "C");
create index users_email on users (env_id, lower(email) collate "C", id collate "C") where email is not null;
create index users_number_of_environment on users (env_id, number collate "C", id collate "C") where number is not null;
-- Who answered a message: the network knows only the number.
create index users_number on users (number) where number is not null;

create table devices (
  bucket smallint not null,
  env_id text not null,
  user_id text not null,
  kind text not null check (kind in ('apn', 'fcm', 'web')),
  token_hash bytea not null,
  token jsonb not null,
  device jsonb not null default '{}',
  seen_at timestamptz not null default now(),
  primary key (bucket, env_id, user_id, kind, token_hash)
);

-- `key`: digest of type, sub-notification and channel, whose ids together may be longer than an index row.
create table preferences (
  bucket smallint not null,
  env_id text not null,
  user_id text not null,
  key bytea not null,
  notification_id text not null,
  sub_id text not null default '',
  channel text not null default '',
  delivery text not null check (delivery in ('off', 'instant', 'hourly', 'daily', 'weekly', 'monthly')),
  -- The last change of `delivery`, and where it came from (server/users/preferences/preference.ts).
  changed_at timestamptz not null default now(),
  changed_by text not null default 'user',
  primary key (bucket, env_id, user_id, key)
);

-- What a user was ever sent, kept longer than the log: the preferences list it. A row comes with the first send of a
-- type, or of a sub-notification that has a title; `key` is the digest of both ids.
create table received (
  bucket smallint not null,
  env_id text not null,
  user_id text not null,
  key bytea not null,
  notification_id text not null,
  sub_id text not null default '',
  primary key (bucket, env_id, user_id, key)
);

create table topic_members (
  bucket smallint not null,
  env_id text not null,
  topic_id text not null,
  user_id text not null,
  added_at timestamptz not null default now(),
  primary key (bucket, env_id, topic_id, user_id)
);
-- Pages of members. Bytes are compared, so that the order is that of Node.
create index topic_members_of_topic on topic_members (env_id, topic_id, user_id collate "C");
create index topic_members_of_user on topic_members (bucket, env_id, user_id, topic_id);

-- Topics that users left themselves a short time ago, because only these may be joined again without the back end.
create table topic_leaves (
  bucket smallint not null,
  env_id text not null,
  topic_id text not null,
  user_id text not null,
  left_at timestamptz not null default now(),
  primary key (bucket, env_id, topic_id, user_id)
);
create index topic_leaves_of_topic on topic_leaves (env_id, topic_id, user_id collate "C");
create index topic_leaves_age on topic_leaves (left_at);

-- The unique key is the lock: a second request with the same key waits for the first one's commit.
-- `user_id = ''` is a request that concerns no user.
create table idempotency_keys (
  bucket smallint not null,
  env_id text not null,
  user_id text not null,
  key text not null,
  fingerprint bytea not null,
  status smallint,
  response json, -- not jsonb: a replay is the same to the byte
  created_at timestamptz not null default now(),
  primary key (bucket, env_id, user_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- The address of a mailbox such as `Ann <ann@example.com>`.
create function mailbox_address(mailbox text) returns text language sql immutable strict parallel safe as $$
  select lower(coalesce(substring(mailbox from '<([^<>]*)>$'), mailbox))
$$;

-- The addresses that get a copy of the email of a send.
-- The body is bound at once, because Postgres builds indexes without a search path.
create function copied_addresses(send jsonb) returns text[] language sql immutable parallel safe
return array(select mailbox_address(a) from jsonb_array_elements_text(
  coalesce(send #> '{options,email,ccAddresses}', '[]') || coalesce(send #> '{options,email,bccAddresses}', '[]')) a);

-- A send, queue row, digest item or sandbox message without these addresses (in lower case) in its copies. Only the lists
-- change, so that large numbers elsewhere stay exact.
create function without_copies(body jsonb, addresses text[]) returns jsonb language plpgsql immutable parallel safe as $$
declare
  place text[];
  list text;
begin
  foreach list in array array['{options,email,ccAddresses}', '{options,email,bccAddresses}', '{send,options,email,ccAddresses}',
    '{send,options,email,bccAddresses}', '{deliveredTo}', '{cc}', '{bcc}'] loop
    place := list;
    if jsonb_typeof(body #> place) = 'array' then
      body := jsonb_set(body, place, (
        select coalesce(jsonb_agg(m order by n), '[]') from jsonb_array_elements_text(body #> place) with ordinality e(m, n)
        where mailbox_address(m) <> all(addresses)));
    end if;
  end loop;
  return body;
end
$$;

-- One row per accepted request, kept as the log. `decisions`: what the plan decided, per channel. A send of a broadcast
-- that only added an item to the inbox has none: the item names its broadcast (server/send/broadcast/logged-sends.sql.ts reads both).
create table sends (
  bucket smallint not null,
  id uuid not null,
  env_id text not null,
  user_id text not null,
  notification_id text not null,
  sub_id text not null default '',
  body jsonb not null,
  decisions jsonb not null default '{}',
  details jsonb, -- by channel: the detail of a decision that needs one to be explained
  warnings jsonb not null default '[]',
  digests jsonb, -- by channel: the send under whose id the digest that holds this one is delivered and logged
  primary key (bucket, id)
) partition by range (id);
create index sends_user on sends (bucket, env_id, user_id, id);
-- Newest first is how logs are read; the type stands behind, so that a search for one type skips the others in the index.
create index sends_recent on sends (env_id, id, notification_id);
-- A search for failures reads these, and the failed tries and dead letters of an environment by their sends.
-- Few emails have copies. An erasure looks for the address of its user in them; so it does in schedules, which outlive the log.
create index sends_copies on sends using gin (copied_addresses(body))
  where body #> '{options,email}' ?| array['ccAddresses', 'bccAddresses'];
create index sends_failed on sends (env_id, id) where may_have_failed(decisions, digests);

-- Finds the attempts for an email address or number in an environment. A hash, so that the index stays small.
create function address_key(env_id text, address text) returns integer language sql immutable parallel safe as $$
  select hashtext(env_id || ' ' || lower(address))
$$;

-- One row per try. `delivery_id` is the outbox row (or dead letter) that was tried: a send may have several in one channel.
create table attempts (
  bucket smallint not null,
  id uuid not null,
  send_id uuid not null,
  delivery_id uuid not null,
  env_id text not null,
  user_id text not null,
  notification_id text not null,
  channel text not null,
  claim_count smallint not null,
  outcome text not null,
  code text,
  detail text,
  provider_ref text,
  took_ms integer,
  -- Of the last try: where the message went (a device token is shortened), and the beginning of what it said.
  address text,
  subject text,
  content text,
  primary key (bucket, id)
) partition by range (id);
create index attempts_address on attempts (address_key(env_id, address), send_id)
  where address is not null and channel in ('EMAIL', 'SMS', 'CALL');
create index attempts_send on attempts (bucket, send_id);
create index attempts_recent on attempts (env_id, id);
create index attempts_failed on attempts (env_id, send_id) where outcome in ('dead', 'gone');

-- What was decided and delivered since the counts of the log were last added up: written in the statement that writes the
-- decisions or attempts. `counts`: by channel and result. `bucket`: any of the group that wrote the row.
create table log_count_deltas (
  bucket smallint not null,
  id uuid not null,
  env_id text not null,
  notification_id text not null,
  day date not null,
  counts jsonb not null,
  counted_at timestamptz not null default now(),
  primary key (bucket, id)
);

-- The counts of the log, by UTC day. `result`: a decision, or the outcome of a last attempt; server/logs/stats.ts says its state.
-- `bucket`: the first one of the group.
create table log_counts (
  bucket smallint not null,
  env_id text not null,
  day date not null,
  notification_id text not null,
  channel text not null,
  result text not null,
  count bigint not null,
  primary key (bucket, env_id, day, notification_id, channel, result)
);
create index log_counts_day on log_counts (day);

-- The same by minute, for some days: what was sent, failed and was discarded (server/logs/minutes.sql.ts).
create table log_minutes (
  bucket smallint not null,
  env_id text not null,
  minute timestamptz not null,
  channel text not null,
  sent bigint not null,
  failed bigint not null,
  discarded bigint not null,
  primary key (bucket, env_id, minute, channel)
);
create index log_minutes_minute on log_minutes (minute);

-- Up to when the log is counted: the latest row of a bucket.
create table log_counted (
  bucket smallint not null,
  until timestamptz not null,
  primary key (bucket, until)
);

-- All pending work. `run_at` is the scheduled time, the end of a back-off or the end of a lease.
-- `claim_count` grows with each claim, and results with an old count are rejected. `leased` is true from the claim to the
-- result: a worker that claims a leased row knows that the result of the previous attempt was lost.
create table outbox (
  bucket smallint not null,
  id uuid not null,
  queue text not null,
  run_at timestamptz not null default now(),
  claim_count smallint not null default 0,
  attempts_left smallint not null default 8,
  leased boolean not null default false,
  env_id text not null,
  user_id text not null,
  send_id uuid,
  key text,
  body jsonb not null,
  primary key (bucket, id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
create index outbox_due on outbox (queue, run_at);
create index outbox_send on outbox (bucket, send_id);
create unique index outbox_key on outbox (bucket, key) where key is not null;
-- Schedules as their callers list them: of an environment, of a type, of a user. Other queues do not pay for these.
create index outbox_schedules on outbox (env_id, run_at, id) where queue = 'SCHEDULE';
create index outbox_schedules_notification on outbox (env_id, (body ->> 'notificationId'), run_at, id)
  where queue = 'SCHEDULE';
create index outbox_schedules_user on outbox (bucket, env_id, user_id, run_at, id) where queue = 'SCHEDULE';
-- Digests as the dashboard lists them.
create index outbox_digests on outbox (env_id, run_at, id) where queue = 'DIGEST';

create index outbox_copies on outbox using gin (copied_addresses(body -> 'send'))
  where queue in ('SCHEDULE', 'ESCALATE') and body #> '{send,options,email}' ?| array['ccAddresses', 'bccAddresses'];

-- What waits for a user: digests and held messages, to look at them again when preferences, pause, quiet hours or the time
-- zone change, and delayed channels.
create index outbox_waiting_user on outbox (bucket, env_id, user_id) where queue in ('DIGEST', 'HELD', 'ESCALATE', 'FETCH');

-- Counters of rate control (throttling and deduplication), for types that have rules. `content_hash`: the content that is
-- counted, or '' for all sends of the type. `sent_at`: times of the sends that count, in milliseconds since 1970.
create table rate_counters (
  bucket smallint not null,
  env_id text not null,
  user_id text not null,
  notification_id text not null,
  content_hash text not null,
  sent_at jsonb not null default '[]',
  expires_at timestamptz not null default now(),
  primary key (bucket, env_id, user_id, notification_id, content_hash)
) with (fillfactor = 80);
create index rate_counters_expires_at on rate_counters (expires_at);

create table dead_letters (
  bucket smallint not null,
  id uuid not null,
  queue text not null,
  claim_count smallint not null,
  env_id text not null,
  user_id text not null,
  send_id uuid,
  key text,
  body jsonb not null,
  code text not null,
  detail text,
  died_at timestamptz not null default now(),
  primary key (bucket, id)
);
create index dead_letters_recent on dead_letters (env_id, died_at desc, id desc);
-- Groups of dead letters by their cause.
create index dead_letters_cause on dead_letters (env_id, queue, code, died_at, id);
create index dead_letters_send on dead_letters (bucket, send_id);
create index dead_letters_failed on dead_letters (env_id, send_id);
-- Heads of digests; no other letter pays for it.
create index dead_letters_key on dead_letters (bucket, key, id) where key is not null;

-- Dead letters that were dropped, for a day, so that a drop can be undone. `task_id`: the task that dropped them.
create table dropped_letters (
  bucket smallint not null,
  id uuid not null,
  queue text not null,
  claim_count smallint not null,
  env_id text not null,
  user_id text not null,
  send_id uuid,
  key text,
  body jsonb not null,
  code text not null,
  detail text,
  died_at timestamptz not null,
  dropped_at timestamptz not null default now(),
  task_id uuid,
  primary key (bucket, id)
);
create index dropped_letters_task on dropped_letters (env_id, task_id, dropped_at, id);
create index dropped_letters_send on dropped_letters (bucket, send_id);
create index dropped_letters_key on dropped_letters (bucket, key, id) where key is not null;
create index dropped_letters_dropped on dropped_letters (dropped_at);

-- Long work of an environment (server/environments/tasks/). A process works on a task until `lease_until`; `fence` grows with each claim.
create table tasks (
  id uuid primary key,
  env_id text not null references environments on delete cascade,
  kind text not null,
  state text not null check (state in ('queued', 'running', 'paused', 'stopped', 'done', 'failed')),
  input jsonb not null,
  total integer,
  is_total_at_least boolean not null default false,
  per_second integer not null,
  fence integer not null default 0,
  lease_until timestamptz,
  created_by text not null,
  created_at timestamptz not null default now(),
  -- Not claimed before; null: at once.
  start_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  error text,
  -- of the user that it is about, and null for others: the id itself stands in `input`, until the user is erased
  user_digest text,
  result jsonb
);
create index tasks_of_environment on tasks (env_id, id);
create index tasks_of_user on tasks (env_id, user_digest, id) where user_digest is not null;
create index tasks_open on tasks (id) where state in ('queued', 'running');
create index tasks_ended on tasks (ended_at) where ended_at is not null;

-- What tasks have done, added in the transaction that does it. `bucket`: any of the group; of a broadcast, the first of a range that it
-- goes through in order. `cursor`: the last user whom it reached (server/send/broadcast/). `counts`: what became of its users.
create table task_progress (
  bucket smallint not null,
  task_id uuid not null,
  env_id text not null,
  done bigint not null,
  cursor jsonb,
  counts jsonb,
  primary key (bucket, task_id)
) with (fillfactor = 50);

-- Exports of users that a task writes (server/users/privacy/), kept for a day. Without this row no part is written, so an erasure that
-- deletes it ends the export. `bytes`: null until it is complete.
create table user_exports (
  bucket smallint not null,
  task_id uuid not null,
  env_id text not null,
  user_id text not null,
  fence integer not null,
  bytes bigint,
  created_at timestamptz not null default now(),
  primary key (bucket, task_id)
);
create index user_exports_user on user_exports (bucket, env_id, user_id);
create index user_exports_created on user_exports (created_at);

create table user_export_parts (
  bucket smallint not null,
  task_id uuid not null,
  part integer not null,
  env_id text not null,
  user_id text not null,
  content bytea not null,
  primary key (bucket, task_id, part)
);
create index user_export_parts_user on user_export_parts (bucket, env_id, user_id);

-- What waits for a digest, with all that it needs: a month may outlive the log. `key` is that of the head, a row of the
-- outbox in the queue DIGEST, which is the lock of its items. `id`: tracking id. `zone`: what the send itself said.
create table digest_items (
  bucket smallint not null,
  key text not null,
  id uuid not null,
  env_id text not null,
  user_id text not null,
  notification_id text not null,
  sub_id text not null default '',
  channel text not null,
  zone text,
  item jsonb not null,
  added_at timestamptz not null default now(),
  primary key (bucket, key, id)
);
create index digest_items_send on digest_items (bucket, id);
create index digest_items_user on digest_items (bucket, env_id, user_id);

-- `version` grows with each change of the inbox (components/protocol/inbox.ts): milliseconds, each value used once.
-- `previous` is the version before the last change. Tombstones up to `floor` are deleted, so a client with an older version
-- reads the inbox anew.
create table inbox_counters (
  bucket smallint not null,
  env_id text not null,
  user_id text not null,
  version bigint not null,
  previous bigint not null default 0,
  floor bigint not null default 0,
  unopened integer not null default 0,
  unarchived integer not null default 0,
  unseen integer not null default 0,
  snoozed integer not null default 0,
  -- The last actions on all items (server/inbox/all-writes.ts).
  all_writes jsonb,
  primary key (bucket, env_id, user_id)
) with (fillfactor = 80);

-- `seq` is the version that made the item or brought it back to the top (and so its date), `changed` the version that last
-- changed it. `write_times`: when seen, opened, clicked, archived, actioned1, actioned2 and snoozed_until were last written, in
-- milliseconds since 1970; null until the first write.
-- `updates`: how often and when the back end has changed the content (server/inbox/updates/change-item.sql.ts); null: never.
-- `broadcast_id`: the broadcast that made the item, if its send has no row in `sends`.
-- A removed item stays as an empty tombstone until every client must have heard of it.
create table inbox_items (
  bucket smallint not null,
  env_id text not null,
  user_id text not null,
  seq bigint not null,
  id uuid not null,
  notification_id text not null,
  sub_id text not null default '',
  content jsonb not null,
  expires_at timestamptz,
  changed bigint,
  removed boolean not null default false,
  seen_at timestamptz,
  opened_at timestamptz,
  clicked_at timestamptz,
  archived_at timestamptz,
  actioned1_at timestamptz,
  actioned2_at timestamptz,
  snoozed_until timestamptz,
  snoozed_at timestamptz,
  write_times bigint[],
  replies jsonb,
  updates jsonb,
  broadcast_id uuid,
  primary key (bucket, env_id, user_id, seq)
) with (fillfactor = 90);
create unique index inbox_items_id on inbox_items (bucket, env_id, user_id, id);
-- New items are found by the primary key, so an insert pays nothing for this one.
create index inbox_items_changed on inbox_items (bucket, env_id, user_id, changed) where changed is not null;
-- The log finds sends of broadcasts by their ids, and a retraction by their times.
create index inbox_items_broadcast on inbox_items (bucket, id) where broadcast_id is not null;
-- House-keeping looks for old tombstones over all inboxes.
create index inbox_items_tombstones on inbox_items (changed) where removed;
-- The type is in the index, so that unread items are counted by type without the items.
create index inbox_items_unopened on inbox_items (bucket, env_id, user_id, seq) include (notification_id)
  where opened_at is null and archived_at is null and snoozed_until is null and not removed;
create index inbox_items_unarchived on inbox_items (bucket, env_id, user_id, seq)
  where archived_at is null and snoozed_until is null and not removed;
-- New items are in none of these, so an insert pays nothing for them.
create index inbox_items_archived on inbox_items (bucket, env_id, user_id, seq)
  where archived_at is not null and snoozed_until is null and not removed;
create index inbox_items_archived_unopened on inbox_items (bucket, env_id, user_id, seq)
  where opened_at is null and archived_at is not null and not removed;
create index inbox_items_snoozed on inbox_items (bucket, env_id, user_id, snoozed_until, seq)
  where snoozed_until is not null and not removed;

-- What the network said after the provider had taken a message, call or mail, and what people answered. Providers repeat
-- themselves, so each word counts once.
create table receipts (
  bucket smallint not null,
  id uuid not null,
  env_id text not null,
  user_id text not null,
  send_id uuid not null,
  channel text not null,
  outcome text not null, -- delivered, undelivered, delayed, answered
  code text,
  detail text,
  provider_ref text not null,
  primary key (bucket, id)
);
create unique index receipts_once on receipts (bucket, send_id, channel, outcome, provider_ref);

-- Numbers that have asked for no more messages, also those that only sends have named. The network says it to a sender, and
-- that is one for all environments, so there is neither environment nor bucket: every machine has them all. As a digest,
-- because a number stands here after its user was erased.
create table stopped_numbers (
  hash bytea primary key,
  stopped_at timestamptz not null default now()
);

-- Callbacks of SMS and calls that cannot be sent again. Neither environment nor bucket, because a provider posts for all of them.
create table handled_callbacks (
  hash bytea primary key, -- sha256 of the verified signature
  handled_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index handled_callbacks_expiry on handled_callbacks (expires_at);

-- What a call says, for a provider that asks when the phone is picked up.
create table call_texts (
  bucket smallint not null,
  id uuid not null, -- of the outbox row
  env_id text not null,
  user_id text not null,
  text text not null,
  language text not null,
  primary key (bucket, id)
);

-- Files of mails that a send names by address: fetched right after the accept, because addresses end within minutes, and
-- kept while a row of the queue or a dead letter needs them. `key`: digest of the address; a row here says that all parts
-- of that one fetch are there. `bytes`: of the file as it is.
create table attachments (
  bucket smallint not null,
  send_id uuid not null,
  key text not null,
  env_id text not null,
  user_id text not null,
  fetch_id uuid not null,
  bytes integer not null,
  type text,
  primary key (bucket, send_id, key)
);

-- Pieces of those files: none is ever in memory as a whole. `fetch_id`: two workers that fetch the same do not mix.
create table attachment_parts (
  bucket smallint not null,
  send_id uuid not null,
  fetch_id uuid not null,
  part integer not null,
  env_id text not null,
  user_id text not null,
  content bytea not null,
  primary key (bucket, send_id, fetch_id, part)
) with (
  -- All of them are dead as soon as their mail has left: gigabytes an hour, whose room must be free for the next ones.
  -- In numbers, not shares of what is there, and without the rests of other tables: with them one VACUUM took a quarter
  -- of an hour, while the table grew by all that went through.
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0,
  toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 60000,
  toast.autovacuum_vacuum_cost_delay = 0
);
-- They are compressed already, or not worth it.
alter table attachment_parts alter content set storage external;

-- Proof that a user was erased: when, and how many rows of which table. Without a word about whom, so it may stay.
create table erasures (
  bucket smallint not null,
  id uuid not null,
  env_id text not null,
  erased_at timestamptz not null default now(),
  removed jsonb not null, -- deleted rows of the user by table
  redacted jsonb not null default '{}', -- rows of others with the address of the user in their copies, by table
  primary key (bucket, id)
);

-- Adds numbers by name: a function, because Citus takes no subquery where a row conflicts.
create function add_counts(a jsonb, b jsonb) returns jsonb language sql immutable strict parallel safe as $$
  select coalesce(jsonb_object_agg(key, rows), '{}') from (
    select key, sum(value::bigint) as rows
    from (select * from jsonb_each_text(a) union all select * from jsonb_each_text(b)) both_counts group by key) summed
$$;

-- The erasure epoch of a bucket and environment: how many users were erased. A send that finds another epoch when it writes than
-- when it read its users reads them again, so that it does not write erased data.
create table erasure_epochs (
  bucket smallint not null,
  env_id text not null,
  epoch bigint not null,
  primary key (bucket, env_id)
);

-- Ends a transaction that has read what was erased since.
create function outdated() returns boolean language plpgsql volatile as $$
begin
  raise exception 'a user of this write was erased' using errcode = 'NK001';
end $$;

-- What the sandbox providers kept instead of sending.
create table sandbox_messages (
  bucket smallint not null,
  id uuid not null,
  env_id text not null,
  user_id text not null,
  send_id uuid,
  notification_id text not null,
  channel text not null,
  message jsonb not null,
  primary key (bucket, id)
);
create index sandbox_messages_send on sandbox_messages (bucket, send_id);
create index sandbox_messages_recent on sandbox_messages (env_id, id desc);
