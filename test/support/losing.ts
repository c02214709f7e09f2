// A table whose first two inserts end as the losers of a deadlock do.

import type { Sql } from '../../server/db/db.ts'

export async function loseTwice(control: Sql, table: string): Promise<void> {
  // Not taken back with the transaction that draws from it.
  await control`create sequence losses`
  await control`
    create function lose() returns trigger language plpgsql as 'begin
      if nextval(''losses'') <= 2 then raise exception ''deadlock'' using errcode = ''40P01''; end if;
      return new; end'`
  await control`create trigger lose before insert on ${control(table)} for each row execute function lose()`
}
