import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** A table whose rows stay as they were written, until they are older than its retention. */
type AppendOnlyTable = {
  table: string
  /** Column of whole numbers that grows with every row. */
  position: string
  /** Column with the time of a row, in milliseconds since 1970. */
  time: string
  /** Table with one row, whose column `keep_ms` says how long rows are kept; 0 keeps them for ever. */
  retention: string
}

/**
 * Makes the database itself refuse to change rows of a table, and to delete those within the retention; for migrations.
 * Statements that try to fail on both engines, also those of other programs. Only who may change the schema can lift
 * it.
 */
export async function makeAppendOnly(db: Kysely<unknown>, names: AppendOnlyTable): Promise<void> {
  const statements =
    db.getExecutor().adapter instanceof PostgresAdapter ? postgresTriggers(names) : sqliteTriggers(names)
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** Without the last trigger, `insert or replace` would exchange a row: SQLite then runs no trigger for the deletion. */
function sqliteTriggers({ table, position, time, retention }: AppendOnlyTable): string[] {
  const refuse = `begin select raise(abort, '${table} is append-only'); end`
  return [
    `create trigger ${table}_refuses_updates before update on ${table} ${refuse}`,
    `create trigger ${table}_refuses_deletions before delete on ${table}
      when not exists (select 1 from ${retention}
        where keep_ms > 0 and old.${time} < cast(unixepoch('subsec') * 1000 as integer) - keep_ms) ${refuse}`,
    `create trigger ${table}_refuses_replacements before insert on ${table}
      when exists (select 1 from ${table} where ${position} = new.${position}) ${refuse}`,
  ]
}

/** The function keeps the search path of the migration, so that it also finds the table in a restored database. */
function postgresTriggers({ table, time, retention }: AppendOnlyTable): string[] {
  const name = `${table}_is_append_only`
  return [
    `create function ${name}() returns trigger language plpgsql set search_path from current as $$
    begin
      if tg_op = 'DELETE' then
        if exists (select 1 from ${retention} where keep_ms > 0
          and old.${time} < (extract(epoch from clock_timestamp()) * 1000)::bigint - keep_ms) then
          return old;
        end if;
      end if;
      raise exception '${table} is append-only' using errcode = 'restrict_violation';
    end $$`,
    `create trigger ${table}_refuses_changes before update or delete on ${table}
      for each row execute function ${name}()`,
    `create trigger ${table}_refuses_truncation before truncate on ${table}
      for each statement execute function ${name}()`,
  ]
}
