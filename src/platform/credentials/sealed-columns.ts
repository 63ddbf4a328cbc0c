import type { Kysely } from 'kysely'
import { type Command, UsageError } from '../basics/command.ts'
import {
  addSecret,
  deriveKeys,
  type Keys,
  readSecrets,
  removeOldSecrets,
  type SecretSettings,
  type Secrets,
  secretId,
} from '../basics/secrets.ts'
import { openSealed, sealToken } from './token.ts'

/** A column with sealed texts, which are sealed again when the secret of the installation changes. */
export type SealedColumn = {
  table: string
  /** Its primary key, of one column. */
  id: string
  column: string
  /** The purpose for which its keys are derived. */
  purpose: string
}

/** Rows read at a time: few enough to hold up nobody, whose texts have some hundred bytes each. */
const ROWS_PER_STEP = 500

/** The sealed texts of a column, by the secret that opens them. */
type SealedCount = {
  table: string
  column: string
  /** Copies that each secret opens, in the order of the secrets. */
  bySecret: number[]
  /** Copies that none of the secrets opens. */
  unreadable: number
}

type SealedRow = { id: string; sealed: Uint8Array }

/** Counts the sealed texts of a column by the secret that opens them. */
async function countSealed(db: Kysely<never>, sealedColumn: SealedColumn, secrets: Secrets): Promise<SealedCount> {
  const keys = deriveKeys(secrets, sealedColumn.purpose)
  const { table, column } = sealedColumn
  const count: SealedCount = { table, column, bySecret: secrets.map(() => 0), unreadable: 0 }
  for await (const { sealed } of rowsOf(db, sealedColumn)) {
    const opened = openSealed(sealed, keys)
    if (opened === undefined) count.unreadable++
    else count.bySecret[opened.keyIndex]!++
  }
  return count
}

/**
 * Seals again, with the newest secret, the texts of a column that an older one opens. Every row is a
 * write of its own that keeps what it replaces unless it is still there, so it may be interrupted,
 * repeated, and run beside instances that write.
 * @returns the number of texts that were sealed again
 */
async function resealWithNewest(db: Kysely<never>, sealedColumn: SealedColumn, secrets: Secrets): Promise<number> {
  const keys = deriveKeys(secrets, sealedColumn.purpose)
  let resealed = 0
  for await (const row of rowsOf(db, sealedColumn)) {
    const opened = openSealed(row.sealed, keys)
    if (opened !== undefined && opened.keyIndex > 0)
      resealed += await replaceSealed(db, sealedColumn, row, opened.text, keys)
  }
  return resealed
}

async function replaceSealed(
  db: Kysely<never>,
  { table, id, column }: SealedColumn,
  row: SealedRow,
  text: string,
  keys: Keys,
): Promise<number> {
  const { numUpdatedRows } = await untyped(db)
    .updateTable(table)
    .set({ [column]: sealToken(text, keys) })
    .where(id, '=', row.id)
    .where(column, '=', row.sealed)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Reads a column in the order of its ids, a step at a time. */
async function* rowsOf(db: Kysely<never>, { table, id, column }: SealedColumn): AsyncGenerator<SealedRow> {
  let last = ''
  for (;;) {
    const rows = (await untyped(db)
      .selectFrom(table)
      .select([`${id} as id`, `${column} as sealed`])
      .where(column, 'is not', null)
      .where(id, '>', last)
      .orderBy(id)
      .limit(ROWS_PER_STEP)
      .execute()) as SealedRow[]
    yield* rows
    if (rows.length < ROWS_PER_STEP) return
    last = rows.at(-1)!.id
  }
}

/** Sees a database as one of tables that are named at run time. */
function untyped(db: Kysely<never>): Kysely<Record<string, Record<string, unknown>>> {
  return db as unknown as Kysely<Record<string, Record<string, unknown>>>
}

/** A service with sealed columns in its database. */
export type SealingPart = { service: string; db: Kysely<never>; columns: readonly SealedColumn[] }

/** The secrets, and how many stored copies depend on each. */
type SecretsReport = {
  secrets: { id: string; use: 'signs and encrypts' | 'accepted'; copies: number; may_be_removed: boolean }[]
  services: string[]
  tables: { table: string; column: string; newest: number; older: number; unreadable: number }[]
}

/** Commands on the secrets of an installation, for the services whose settings are in the environment. */
export function secretCommands(settings: SecretSettings, parts: readonly SealingPart[]): Command[] {
  const list: Command = {
    usage: 'secrets list',
    isReadOnly: true,
    doc: 'Lists the secrets by short names, with the stored copies that each encrypts.',
    run: async () => await report(readSecrets(settings), parts),
  }
  const rewrap: Command = {
    usage: 'secrets rewrap',
    doc: 'Encrypts stored copies again with the newest secret, and reports what remains.',
    async run() {
      const secrets = readSecrets(settings)
      let rewrapped = 0
      for (const { db, columns } of parts)
        for (const column of columns) rewrapped += await resealWithNewest(db, column, secrets)
      return { rewrapped, ...(await report(secrets, parts)) }
    },
  }
  const rotate: Command = {
    usage: 'secrets rotate',
    doc: 'Adds a new secret to DATA_DIR/secret as its first. The former ones stay accepted. Restart the server afterwards.',
    async run() {
      requireFile(settings)
      addSecret(settings.dataDir)
      return await report(readSecrets(settings), parts)
    },
  }
  const retire: Command = {
    usage: 'secrets retire',
    doc: 'Removes former secrets from DATA_DIR/secret, unless stored copies still need one. Restart the server afterwards.',
    async run() {
      requireFile(settings)
      const { secrets } = await report(readSecrets(settings), parts)
      const needed = secrets.slice(1).filter(({ copies }) => copies > 0)
      if (needed.length > 0)
        throw new UsageError(
          `Stored copies are still encrypted with ${needed.map(({ id }) => id).join(', ')}. Run secrets rewrap first`,
        )
      removeOldSecrets(settings.dataDir)
      return await report(readSecrets(settings), parts)
    },
  }
  return [list, rewrap, rotate, retire]
}

function requireFile({ secretKey, secretKeyFallbacks }: SecretSettings): void {
  if (secretKey !== '' || secretKeyFallbacks.length > 0)
    throw new UsageError('The secrets come from SECRET_KEY and SECRET_KEY_FALLBACKS. Change them there')
}

async function report(secrets: Secrets, parts: readonly SealingPart[]): Promise<SecretsReport> {
  const counts: (SealedCount & { service: string })[] = []
  for (const { service, db, columns } of parts)
    for (const column of columns) counts.push({ service, ...(await countSealed(db, column, secrets)) })
  return {
    secrets: secrets.map((secret, i) => {
      const copies = counts.reduce((sum, { bySecret }) => sum + bySecret[i]!, 0)
      const use = i === 0 ? 'signs and encrypts' : 'accepted'
      return { id: secretId(secret), use, copies, may_be_removed: i > 0 && copies === 0 }
    }),
    services: parts.map(({ service }) => service),
    tables: counts.map(({ service, table, column, bySecret: [newest, ...older], unreadable }) => ({
      table: `${service}.${table}`,
      column,
      newest: newest!,
      older: older.reduce((sum, count) => sum + count, 0),
      unreadable,
    })),
  }
}
