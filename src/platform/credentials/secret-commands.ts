import type { Kysely } from 'kysely'
import { type Command, UsageError } from '../basics/command.ts'
import {
  addSecret,
  readSecrets,
  removeOldSecrets,
  type SecretSettings,
  type Secrets,
  secretId,
} from '../basics/secrets.ts'
import { countSealed, resealWithNewest, type SealedColumn, type SealedCount } from './sealed-columns.ts'

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
