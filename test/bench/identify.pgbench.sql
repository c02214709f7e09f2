-- One identification as one transaction: the row of the user, and what the answer says.
\set user random(1, 100000)
\set bucket :user % 1024
begin;
insert into users (bucket, env_id, id, email, number, timezone, properties, seen_at)
  values (:bucket, 'bench', 'user' || :user, 'user' || :user || '@bench.example', null, 'Europe/Berlin', '{"plan":"team"}', now())
  on conflict (bucket, env_id, id) do update set email = excluded.email, timezone = excluded.timezone,
    properties = users.properties || excluded.properties, updated_at = now(), seen_at = now();
select email, number, timezone, properties, created_at, updated_at, seen_at from users
  where bucket = :bucket and env_id = 'bench' and id = 'user' || :user;
select kind, token, device from devices
  where bucket = :bucket and env_id = 'bench' and user_id = 'user' || :user order by seen_at, token_hash;
commit;
