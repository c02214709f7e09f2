-- The rows of one accepted send over INAPP_WEB and EMAIL, in one statement.
\set user random(1, 100000)
\set bucket :user % 1024
with sent as (
  insert into sends (bucket, id, env_id, user_id, notification_id, body, decisions)
    values (:bucket, overlay(gen_random_uuid()::text placing substr(uuid_at(now())::text, 1, 13) from 1 for 13)::uuid,
      'bench', 'user' || :user, 'bench_comment',
      '{"to":{"id":"user12345","email":"user12345@bench.example"},"type":"bench_comment","email":{"html":"<p>{{ name }} commented on Harbour map</p>","subject":"New comment"},"inapp":{"url":"/maps/7","body":"Could the ferry line move a little north?","title":"{{ name }} commented on Harbour map"},"parameters":{"name":"Jonas Lindqvist","post":4711}}',
      '{"EMAIL":"send","INAPP_WEB":"send"}')
), head as (
  insert into inbox_counters (bucket, env_id, user_id, version, unopened, unarchived, unseen)
    values (:bucket, 'bench', 'user' || :user, floor(extract(epoch from clock_timestamp()) * 1000), 1, 1, 1)
    on conflict (bucket, env_id, user_id) do update set
      version = greatest(inbox_counters.version + 1, excluded.version),
      unopened = inbox_counters.unopened + 1, unarchived = inbox_counters.unarchived + 1,
      unseen = inbox_counters.unseen + 1
    returning version
), queued as (
  insert into outbox (bucket, id, queue, env_id, user_id, send_id, body)
    values (:bucket, gen_random_uuid(), 'BENCH', 'bench', 'user' || :user, gen_random_uuid(),
      '{"to":"user12345@bench.example","template":"inline","type":"bench_comment"}')
)
insert into inbox_items (bucket, env_id, user_id, seq, id, notification_id, content)
  select :bucket, 'bench', 'user' || :user, version, gen_random_uuid(), 'bench_comment',
    '{"title":"Jonas Lindqvist commented on Harbour map","body":"Could the ferry line move a little north?","redirectURL":"/maps/7","parameters":{"name":"Jonas Lindqvist","post":4711}}'
  from head;
