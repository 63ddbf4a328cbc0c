import type { Transaction } from 'kysely'
import type { PublicationStatus } from '../domain/publication-status.ts'
import { announcePublication } from './publication-messages.ts'
import type { PublicationsTables } from './tables.ts'
import type { VersionProgress } from './versions-store.ts'

/** A version is ready to read when this many pages are finished. */
const PAGES_UNTIL_READY = 20

/** A version whose row, and that of its publication, are locked. */
export type LockedVersion = {
  id: string
  publicationId: string
  status: PublicationStatus
  pageCount: number
  pagesReady: number
  updatedAt: number
}

/** Updates the progress and status of a version after pages were added or got further images. */
export async function advanceVersion(
  transaction: Transaction<PublicationsTables>,
  version: LockedVersion,
  { added, isProgress }: { added: number; isProgress: boolean },
  nowMs: number,
): Promise<VersionProgress> {
  const pagesReady = version.pagesReady + added
  const isWhole = pagesReady >= version.pageCount
  const hasWork = !isWhole || (await hasIncomplete(transaction, version.id))
  const status = version.status === 'processing' ? await statusNow(transaction, version, isWhole) : version.status
  const failure = status === 'failed' ? await failureOf(transaction, version.id) : null
  await transaction
    .updateTable('versions')
    .set({
      pages_ready: pagesReady,
      status,
      ...(failure === null ? {} : { failure: JSON.stringify(failure) }),
      ...(hasWork ? {} : { lease_owner: null, lease_until: null }),
      has_work: hasWork ? 1 : 0,
      ...(isProgress ? { attempts: 0 } : {}),
    })
    .where('id', '=', version.id)
    .execute()
  if (status !== version.status) await announceStatus(transaction, version, status, nowMs)
  return { status, pageCount: version.pageCount, pagesReady }
}

async function hasIncomplete(transaction: Transaction<PublicationsTables>, versionId: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('pages')
    .select('page')
    .where('version_id', '=', versionId)
    .where('is_complete', '=', 0)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

async function statusNow(
  transaction: Transaction<PublicationsTables>,
  { id, pageCount }: LockedVersion,
  isWhole: boolean,
): Promise<PublicationStatus> {
  const wanted = Math.min(PAGES_UNTIL_READY, pageCount)
  const first = await transaction
    .selectFrom('pages')
    .select((select) => select.fn.countAll<number | string>().as('count'))
    .where('version_id', '=', id)
    .where('page', '<=', wanted)
    .executeTakeFirstOrThrow()
  if (Number(first.count) < wanted) return 'processing'
  const good = await transaction
    .selectFrom('pages')
    .select('page')
    .where('version_id', '=', id)
    .where('failed_code', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (good !== undefined) return 'ready'
  return isWhole ? 'failed' : 'processing'
}

/** Returns the failure of a version: the reason of its first page. */
async function failureOf(transaction: Transaction<PublicationsTables>, versionId: string) {
  const first = await transaction
    .selectFrom('pages')
    .select(['failed_code', 'failed_reason'])
    .where('version_id', '=', versionId)
    .orderBy('page')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { code: first.failed_code, detail: `No page could be rendered. ${first.failed_reason}` }
}

/**
 * Records a change of status with the publication. Readers see a ready version;
 * after a failure they still see the last one.
 */
async function announceStatus(
  transaction: Transaction<PublicationsTables>,
  version: LockedVersion,
  status: PublicationStatus,
  nowMs: number,
): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable('publications')
    .set({
      updated_at: Math.max(nowMs, version.updatedAt + 1),
      ...(status === 'ready' ? { shown_version_id: null } : {}),
    })
    .where('id', '=', version.publicationId)
    .where('version_id', '=', version.id)
    .executeTakeFirstOrThrow()
  // A file that has been replaced meanwhile is no news.
  if (numUpdatedRows === 0n || status === 'processing') return
  await announcePublication(transaction, `publication.${status}`, version.publicationId)
}
