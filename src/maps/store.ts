import type { Kysely } from 'kysely'
import { inTransaction, isUniqueViolation } from '#platform/database/transaction.ts'

/** An uploaded map file, found by the SHA-256 of its bytes. */
export type MapFileRow = {
  sha256: string
  blob_key: string
  /** Name that the file was uploaded under. */
  name: string
  size_bytes: number
  /** Facts from its header and metadata, as JSON. */
  facts: string
  created_at: number
}

/** The map that the operators have chosen, as JSON. There is one row, with the id 1, once they have. */
type MapChoiceRow = {
  id: number
  choice: string
  changed_at: number
}

export type MapTables = {
  map_files: MapFileRow
  map_choice: MapChoiceRow
}

/** Thrown to roll a change back. */
class Refused extends Error {}

/** The chosen map and the uploaded map files. */
export type MapsStore = ReturnType<typeof createMapsStore>

const CHOICE_ID = 1
/** A choice and the deletion of a file that it names never overlap, and files added at once count each other. */
const ONE_BY_ONE = { isolation: 'serializable' } as const

export function createMapsStore(db: Kysely<MapTables>) {
  return {
    /** Returns the stored choice as JSON; undefined before the first. */
    findChoice: (): Promise<string | undefined> => findChoice(db),

    /** Stores a choice. Stores nothing and returns false if one of its uploaded files does not exist. */
    async choose(choice: string, filesSha256: readonly string[], nowMs: number): Promise<boolean> {
      const row: MapChoiceRow = { id: CHOICE_ID, choice, changed_at: nowMs }
      return await inTransaction(
        db,
        async (transaction) => {
          for (const sha256 of filesSha256) {
            if ((await findFile(transaction, sha256)) === undefined) throw new Refused()
          }
          await transaction
            .insertInto('map_choice')
            .values(row)
            .onConflict((conflict) => conflict.column('id').doUpdateSet({ choice, changed_at: nowMs }))
            .execute()
          return true
        },
        ONE_BY_ONE,
      ).catch((error) => {
        if (error instanceof Refused) return false
        throw error
      })
    },

    findFile: (sha256: string): Promise<MapFileRow | undefined> => findFile(db, sha256),

    /** Returns all files, the newest first. */
    async listFiles(): Promise<MapFileRow[]> {
      return await db.selectFrom('map_files').selectAll().orderBy('created_at', 'desc').orderBy('sha256').execute()
    },

    /** Adds a file, unless there is one with these bytes, or as many as `maximum` in all. */
    async addFile(file: MapFileRow, maximum: number): Promise<'added' | 'known' | 'too many'> {
      try {
        return await inTransaction(db, (transaction) => addFile(transaction, file, maximum), ONE_BY_ONE)
      } catch (error) {
        if (isUniqueViolation(error, 'map_files', ['sha256'])) return 'known'
        throw error
      }
    },

    /** Deletes a file unless the choice, given as JSON, is one that `isUsing` it. */
    async deleteFile(sha256: string, isUsing: (choice: string) => boolean): Promise<'missing' | 'in use' | MapFileRow> {
      return await inTransaction(
        db,
        async (transaction) => {
          const file = await findFile(transaction, sha256)
          if (file === undefined) return 'missing'
          const choice = await findChoice(transaction)
          if (choice !== undefined && isUsing(choice)) return 'in use'
          await transaction.deleteFrom('map_files').where('sha256', '=', sha256).execute()
          return file
        },
        ONE_BY_ONE,
      )
    },

    /** Returns the keys that belong to a file. */
    async knownBlobs(keys: readonly string[]): Promise<Set<string>> {
      if (keys.length === 0) return new Set()
      const rows = await db.selectFrom('map_files').select('blob_key').where('blob_key', 'in', keys).execute()
      return new Set(rows.map((row) => row.blob_key))
    },
  }
}

async function addFile(transaction: Kysely<MapTables>, file: MapFileRow, maximum: number) {
  const files = await transaction.selectFrom('map_files').select('sha256').execute()
  if (files.some(({ sha256 }) => sha256 === file.sha256)) return 'known'
  if (files.length >= maximum) return 'too many'
  await transaction.insertInto('map_files').values(file).execute()
  return 'added'
}

async function findChoice(db: Kysely<MapTables>): Promise<string | undefined> {
  const row = await db.selectFrom('map_choice').select('choice').where('id', '=', CHOICE_ID).executeTakeFirst()
  return row?.choice
}

async function findFile(db: Kysely<MapTables>, sha256: string): Promise<MapFileRow | undefined> {
  return await db.selectFrom('map_files').selectAll().where('sha256', '=', sha256).executeTakeFirst()
}
