import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { Client } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'

// A dump in the plain format of pg_dump, which psql reads, too: statements, and rows between
// COPY and `\.`. The PostgreSQL of the tests brings no pg_dump. It has what the services use:
// schemas, tables, constraints, indexes, functions, triggers, and rows.

type Table = { oid: number; name: string; options: string[] | null }

/** Writes these schemas of a database, with all rows. */
export async function dumpPostgres(url: string, schemas: readonly string[]): Promise<string> {
  return await withClient(url, async (client) => {
    const parts: string[] = []
    const { rows: extensions } = await client.query<{ name: string; schema: string }>(
      `select extname as name, nspname as schema from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
       where extname <> 'plpgsql'`,
    )
    for (const schema of schemas) parts.push(`create schema ${schema};\n`)
    for (const { name, schema } of extensions) parts.push(`create extension ${name} schema ${schema};\n`)
    for (const schema of schemas) {
      for (const definition of await functionsOf(client, schema)) parts.push(`${definition};\n`)
      for (const table of await tablesOf(client, schema)) parts.push(await dumpTable(client, schema, table))
    }
    return parts.join('')
  })
}

/** A statement with the text of a function, which may have the ends of further statements in it, or another one. */
const STATEMENT = /^(?:\$function\$.*?\$function\$|.)*?;\n/s

/** Loads a dump into an empty database. */
export async function loadPostgres(url: string, dump: string): Promise<void> {
  await withClient(url, async (client) => {
    let rest = dump
    while (rest !== '') {
      const copy = /^copy .*? from stdin;\n/.exec(rest)
      if (copy === null) {
        const [statement] = STATEMENT.exec(rest)!
        await client.query(statement)
        rest = rest.slice(statement.length)
        continue
      }
      const end = rest.indexOf('\\.\n', copy[0].length)
      await pipeline(
        Readable.from([rest.slice(copy[0].length, end)]),
        client.query(copyFrom(copy[0].trim().slice(0, -1))),
      )
      rest = rest.slice(end + 3)
    }
  })
}

async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return await work(client).finally(() => client.end())
}

async function tablesOf(client: Client, schema: string): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.oid::int, c.relname as name, c.reloptions as options from pg_class c
     where c.relnamespace = $1::regnamespace and c.relkind = 'r' order by c.relname`,
    [schema],
  )
  return rows
}

/** Returns the definitions of functions, without those of extensions. */
async function functionsOf(client: Client, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ definition: string }>(
    `select pg_get_functiondef(p.oid) as definition from pg_proc p
     where p.pronamespace = $1::regnamespace
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') order by p.proname`,
    [schema],
  )
  return rows.map(({ definition }) => definition.trimEnd())
}

async function dumpTable(client: Client, schema: string, { oid, name, options }: Table): Promise<string> {
  const table = `${schema}.${name}`
  const { rows: columns } = await client.query<{ name: string; definition: string }>(
    `select attname as name, format_type(atttypid, atttypmod)
       || case when attnotnull then ' not null' else '' end
       || coalesce(' default ' || pg_get_expr(adbin, adrelid), '') as definition
     from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
     where attrelid = $1 and attnum > 0 and not attisdropped order by attnum`,
    [oid],
  )
  const { rows: constraints } = await client.query<{ name: string; definition: string }>(
    `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = $1 and contype in ('p', 'u', 'c') order by conname`,
    [oid],
  )
  const { rows: indexes } = await client.query<{ definition: string }>(
    `select pg_get_indexdef(indexrelid) as definition from pg_index join pg_class on pg_class.oid = indexrelid
     where indrelid = $1 and not exists (select from pg_constraint where conindid = indexrelid) order by relname`,
    [oid],
  )
  const { rows: triggers } = await client.query<{ definition: string }>(
    `select pg_get_triggerdef(oid) as definition from pg_trigger where tgrelid = $1 and not tgisinternal order by tgname`,
    [oid],
  )
  const names = columns.map((column) => column.name)
  const head = `copy ${table} (${names.join(', ')}) from stdin`
  const rows = await text(
    client.query(copyTo(`copy (select ${names.join(', ')} from ${table} order by ${names[0]}) to stdout`)),
  )
  return [
    `create table ${table} (${columns.map((column) => `${column.name} ${column.definition}`).join(', ')})`,
    options === null ? ';\n' : ` with (${options.join(', ')});\n`,
    `${head};\n${rows}\\.\n`,
    ...constraints.map((each) => `alter table ${table} add constraint ${each.name} ${each.definition};\n`),
    ...[...indexes, ...triggers].map((each) => `${each.definition};\n`),
  ].join('')
}
