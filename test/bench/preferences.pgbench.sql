-- One change of a preference as one transaction: the user's row is locked, the preference written, all of them counted.
\set user random(1, 100000)
\set bucket :user % 1024
begin;
insert into users (bucket, env_id, id) values (:bucket, 'bench', 'user' || :user)
  on conflict (bucket, env_id, id) do update set updated_at = now();
insert into preferences (bucket, env_id, user_id, key, notification_id, sub_id, channel, delivery)
  values (:bucket, 'bench', 'user' || :user, '\x00112233445566778899aabbccddeeff', 'bench_comment', '', 'EMAIL', 'off')
  on conflict (bucket, env_id, user_id, key) do update set delivery = excluded.delivery;
select count(*)::integer from preferences
  where bucket = :bucket and env_id = 'bench' and user_id = 'user' || :user;
commit;
