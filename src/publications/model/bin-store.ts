import { type Kysely, sql, type Transaction } from 'kysely'
import { isUuid } from '#platform/basics/text.ts'
import { nextUpdate } from '#platform/basics/time.ts'
import { forgetAnswersAbout, type IdempotencyTables } from '#platform/database/idempotency.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { binnedPublicationNotFound, publicationsQuotaReached } from './errors.ts'
import type { OwnedPublication } from './publication-edits.ts'
import { announceDeletion, announcePublication } from './publication-json.ts'
import { lockPublication } from './publication-rows.ts'
import type { PublicationRow, PublicationsTables } from './tables.ts'
import type { UploadsStore } from './uploads-store.ts'
import { hasRoomForPublication, lockQuotas } from './workspaces-store.ts'

/** Publications that operators have deleted and can restore: deleted ones, of which nothing has been removed yet. */
export type PublicationBin = ReturnType<typeof createPublicationBin>

/** A publication in the bin. */
export type BinnedPublication = Pick<PublicationRow, 'id' | 'workspace_id' | 'title' | 'slug'> & {
  binned_at: number
  page_count: number
}

const DAY_MS = 86_400_000

/** Publications of a workspace that its bin shows: the latest. */
const SHOWN = 500

/** Values of `has_work` of a version. */
const WORK = { none: 0, waiting: 1, inBin: 2 }

/** Literal condition of the index of deletions, which is not used with a parameter in its place. */
const isBinned = sql<boolean>`publications.deleted_at is not null and publications.binned_at is not null`

type BinOptions = { db: Kysely<PublicationsTables>; uploads: UploadsStore; binDays: number; now: () => number }

/** Creates the store of the bin, in which publications stay for `binDays`. */
export function createPublicationBin({ db, uploads, binDays, now }: BinOptions) {
  const forGoodAtMs = (binnedAtMs: number) => binnedAtMs + binDays * DAY_MS
  return {
    binDays,
    forGoodAtMs,

    /** Returns the latest binned publications of a workspace, latest deletion first. */
    async list(workspaceId: string): Promise<BinnedPublication[]> {
      return await selectBinned(db)
        .where('publications.workspace_id', '=', workspaceId)
        .where('publications.binned_at', '>', now() - binDays * DAY_MS)
        .orderBy('publications.binned_at', 'desc')
        .orderBy('publications.id')
        .limit(SHOWN)
        .execute()
    },

    find: (id: string) => findBinned(db, id),

    /**
     * Takes a publication out of the bin, as it was. Webhooks are told of it as of a new one.
     * @throws binnedPublicationNotFound, publicationsQuotaReached
     */
    restore: (id: string): Promise<void> => inTransaction(db, (transaction) => restore(transaction, id, now())),

    /** Ends a publication of the bin for good; its files are removed separately. @throws binnedPublicationNotFound */
    async end(id: string): Promise<void> {
      if (!(await endBinned(db, uploads, id))) throw binnedPublicationNotFound()
    },

    /** Ends everything for good that has been in the bin for long enough. */
    async endDue(): Promise<void> {
      const dueMs = now() - binDays * DAY_MS
      const due = await selectBinned(db).where('publications.binned_at', '<=', dueMs).execute()
      for (const { id } of due) await endBinned(db, uploads, id, dueMs)
    },
  }
}

/** Finds a publication in the bin. */
export async function findBinned(db: Kysely<PublicationsTables>, id: string): Promise<BinnedPublication | undefined> {
  if (!isUuid(id)) return undefined
  return await selectBinned(db).where('publications.id', '=', id).executeTakeFirst()
}

function selectBinned(db: Kysely<PublicationsTables>) {
  return db
    .selectFrom('publications')
    .innerJoin('versions', 'versions.id', 'publications.version_id')
    .innerJoin('workspaces', 'workspaces.id', 'publications.workspace_id')
    .select(['publications.id', 'publications.workspace_id', 'publications.title', 'publications.slug'])
    .select(['publications.binned_at', 'versions.page_count'])
    .where(isBinned)
    .where('workspaces.deleted_at', 'is', null)
    .$narrowType<{ binned_at: number }>()
}

async function lockBinned(
  transaction: Transaction<PublicationsTables>,
  id: string,
): Promise<PublicationRow | undefined> {
  if (!isUuid(id)) return undefined
  const query = transaction.selectFrom('publications').selectAll().where('id', '=', id).where(isBinned)
  return await query.forUpdate().executeTakeFirst()
}

/** Ends a publication for good that has been in the bin since `binnedUntilMs` at the latest. @returns false without */
async function endBinned(
  db: Kysely<PublicationsTables>,
  uploads: UploadsStore,
  id: string,
  binnedUntilMs = Number.MAX_SAFE_INTEGER,
): Promise<boolean> {
  return await inTransaction(db, async (transaction) => {
    const row = await lockBinned(transaction, id)
    if (row === undefined || row.binned_at! > binnedUntilMs) return false
    await transaction.updateTable('publications').set({ binned_at: null }).where('id', '=', id).execute()
    await endPublication(transaction, uploads, { workspaceId: row.workspace_id, id })
    return true
  })
}

async function restore(transaction: Transaction<PublicationsTables>, id: string, nowMs: number): Promise<void> {
  const found = await findBinned(transaction, id)
  // The workspace first, as for a new publication: locking in different orders could block.
  const quotas = found && (await lockQuotas(transaction, found.workspace_id))
  if (quotas === undefined) throw binnedPublicationNotFound()
  const row = await lockBinned(transaction, id)
  if (row === undefined) throw binnedPublicationNotFound()
  if (!(await hasRoomForPublication(transaction, quotas))) throw publicationsQuotaReached()
  await transaction
    .updateTable('publications')
    .set({ deleted_at: null, binned_at: null, updated_at: nextUpdate(row, nowMs) })
    .where('id', '=', id)
    .execute()
  await changeWork(transaction, id, { from: WORK.inBin, to: WORK.waiting })
  const { status } = await transaction
    .selectFrom('versions')
    .select('status')
    .where('id', '=', row.version_id)
    .executeTakeFirstOrThrow()
  if (status !== 'processing') await announcePublication(transaction, `publication.${status}`, id)
}

/**
 * Deletes a publication: it is no longer found. Without a bin, its uploads are removed and their paths free, and its
 * slugs stay reserved for new publications of the same workspace. In the bin, it keeps all of them.
 * @returns its id
 * @throws publicationNotFound
 */
export async function deletePublication(
  db: Kysely<PublicationsTables>,
  uploads: UploadsStore,
  { workspaceId, slug, toBin }: OwnedPublication & { toBin: boolean },
  nowMs: number,
): Promise<string> {
  return await inTransaction(db, async (transaction) => {
    const { id } = await lockPublication(transaction, workspaceId, slug)
    await transaction
      .updateTable('publications')
      .set({ deleted_at: nowMs, binned_at: toBin ? nowMs : null })
      .where('id', '=', id)
      .execute()
    if (toBin) {
      await changeWork(transaction, id, { from: WORK.waiting, to: WORK.inBin })
      await forgetAnswers(transaction, workspaceId, [id])
    } else await endPublication(transaction, uploads, { workspaceId, id })
    await announceDeletion(transaction, { workspaceId, id }, nowMs)
    return id
  })
}

/** Gives away all that a publication held, once it is deleted for good. Its rows and blobs are removed separately. */
async function endPublication(
  transaction: Transaction<PublicationsTables>,
  uploads: UploadsStore,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<void> {
  await transaction.updateTable('versions').set({ has_work: WORK.none }).where('publication_id', '=', id).execute()
  await transaction.updateTable('slugs').set({ publication_id: null }).where('publication_id', '=', id).execute()
  const storageKeys = await uploads.removeByPublication(transaction, id)
  await forgetAnswers(transaction, workspaceId, [id, ...storageKeys])
}

async function changeWork(
  transaction: Transaction<PublicationsTables>,
  id: string,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await transaction
    .updateTable('versions')
    // Whoever renders it stops, and after a restoration nobody has to wait until that lease has ended.
    .set({ has_work: to, lease_owner: null, lease_until: null })
    .where('publication_id', '=', id)
    .where('has_work', '=', from)
    .execute()
}

/** Forgets the remembered answers to requests that created these things. */
export async function forgetAnswers(
  transaction: Transaction<PublicationsTables>,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  await forgetAnswersAbout(transaction as unknown as Transaction<IdempotencyTables>, workspaceId, ids)
}
