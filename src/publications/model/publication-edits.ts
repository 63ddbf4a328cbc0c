import type { Kysely, Transaction } from 'kysely'
import { invalidFields } from '#platform/basics/errors.ts'
import { nextUpdate } from '#platform/basics/time.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { holdCollection } from './collections-store.ts'
import { slugIsTaken } from './errors.ts'
import { type FirstView, searchText, titleFromFile } from './fields.ts'
import { announcePublication } from './publication-json.ts'
import { lockPublication, takeSlug } from './publication-rows.ts'
import type { Access } from './reading.ts'
import { changedStatements, type StatementChanges } from './statements.ts'
import type { PublicationRow, PublicationsTables } from './tables.ts'

/** A publication as its owner identifies it. */
export type OwnedPublication = { workspaceId: string; slug: string }

/** The times between which a publication is read, in milliseconds; null for none, and undefined for no change. */
export type Schedule = { publish_at?: number | null; expires_at?: number | null }

type StoredSchedule = { publish_at: number | null; expires_at: number | null }
export const NO_SCHEDULE: StoredSchedule = { publish_at: null, expires_at: null }

/** Returns the schedule after a change. @throws badRequest if it ends before it begins */
export function scheduleAfter(before: Schedule, change: Schedule): StoredSchedule {
  const { publish_at = before.publish_at ?? null, expires_at = before.expires_at ?? null } = change
  if (publish_at !== null && expires_at !== null && expires_at <= publish_at)
    throw invalidFields([{ path: 'expires_at', message: 'must be after publish_at' }])
  return { publish_at, expires_at }
}

/** Changes to a publication; absent members stay as they are. */
export type PublicationUpdate = {
  title?: string
  title_from_file?: boolean | null
  slug?: string
  access?: Access | null
  allow_download?: boolean | null
  first_view?: FirstView | null
  recognize_text?: boolean | null
  /** Id of another collection of the workspace; null for none. */
  collection_id?: string | null
  /** Hash of another password; null for none. */
  password_hash?: string | null
} & Schedule &
  StatementChanges

/**
 * Changes the title, slug or statements of a publication. Its former slugs still lead to it, and it may take one of
 * them again.
 * @returns its id
 * @throws publicationNotFound, slugIsTaken, badRequest for an unknown collection
 */
export async function updatePublication(
  db: Kysely<PublicationsTables>,
  { workspaceId, slug }: OwnedPublication,
  change: PublicationUpdate,
  nowMs: number,
): Promise<string> {
  return await inTransaction(db, async (transaction) => {
    await holdCollection(transaction, workspaceId, change.collection_id)
    const row = await lockPublication(transaction, workspaceId, slug)
    const next = {
      ...(await titleAfter(transaction, row, change)),
      slug: change.slug ?? row.slug,
      ...changedStatements(row, change),
      ...rulesAfter(row, change, nowMs),
      allow_download: switchAfter(change.allow_download, row.allow_download ?? null),
      first_view: change.first_view === undefined ? (row.first_view ?? null) : change.first_view,
      recognize_text: switchAfter(change.recognize_text, row.recognize_text ?? null),
      collection_id: change.collection_id === undefined ? (row.collection_id ?? null) : change.collection_id,
    }
    if (Object.entries(next).every(([name, value]) => row[name as keyof typeof next] === value)) return row.id
    if (!(await takeSlug(transaction, next.slug, { workspaceId, publicationId: row.id }))) throw slugIsTaken()
    await transaction
      .updateTable('publications')
      .set({ ...next, search_text: searchText(next.title, next.slug), updated_at: nextUpdate(row, nowMs) })
      .where('id', '=', row.id)
      .execute()
    return row.id
  })
}

/** Returns who may read when after a change, and an epoch that ends every address issued under other rules. */
function rulesAfter(row: PublicationRow, change: PublicationUpdate, nowMs: number) {
  const access = change.access == null || change.access === (row.access ?? 'public') ? row.access : change.access
  const { publish_at, expires_at } = scheduleAfter(row, change)
  const isSameTime = publish_at === (row.publish_at ?? null) && expires_at === (row.expires_at ?? null)
  const { password_hash = row.password_hash ?? null } = change
  const isSame = access === row.access && isSameTime && password_hash === (row.password_hash ?? null)
  // A publication that nobody could read yet is first published at its new time.
  const isNew = row.published_at !== null && row.published_at > nowMs
  return {
    access,
    publish_at,
    expires_at,
    published_at: isNew ? Math.max(nowMs, publish_at ?? 0) : row.published_at,
    password_hash,
    epoch: isSame ? row.epoch : row.epoch + 1,
  }
}

/** Returns a switch as it is stored: null unless a publisher has turned it off, and then 0. */
export function switchAfter(given: boolean | null | undefined, before: number | null): number | null {
  if (given == null) return before
  return given ? null : 0
}

/** Returns the title after a change. A file that states none leaves the given title, or else the one before. */
async function titleAfter(
  transaction: Transaction<PublicationsTables>,
  row: PublicationRow,
  { title = row.title, title_from_file }: PublicationUpdate,
): Promise<{ title: string; title_from_file: number | null }> {
  if (title_from_file === true) {
    const facts = await transaction
      .selectFrom('versions')
      .select('facts')
      .where('id', '=', row.version_id)
      .executeTakeFirstOrThrow()
    return { title: titleFromFile(JSON.parse(facts.facts).metadata?.title, title), title_from_file: 1 }
  }
  const isKept = title_from_file == null && title === row.title
  return { title, title_from_file: isKept ? row.title_from_file : null }
}

/**
 * Publishes or unpublishes a publication; nothing changes if it already is, or is a draft. Unpublishing increases the
 * epoch, which is part of every signed address and image address, so that the old ones never work again.
 * @returns its id
 * @throws publicationNotFound
 */
export async function setPublished(
  db: Kysely<PublicationsTables>,
  { workspaceId, slug }: OwnedPublication,
  isPublished: boolean,
  nowMs: number,
): Promise<string> {
  return await inTransaction(db, async (transaction) => {
    const row = await lockPublication(transaction, workspaceId, slug)
    if ((row.unpublished_at === null) === isPublished) return row.id
    await transaction
      .updateTable('publications')
      .set({
        unpublished_at: isPublished ? null : nowMs,
        published_at: isPublished ? firstPublication(row, nowMs) : withdrawnPublication(row, nowMs),
        epoch: isPublished ? row.epoch : row.epoch + 1,
        updated_at: nextUpdate(row, nowMs),
      })
      .where('id', '=', row.id)
      .execute()
    if (!isPublished) await announcePublication(transaction, 'publication.unpublished', row.id)
    return row.id
  })
}

/** Returns the time at which a publication is first out, as it is published now. */
function firstPublication({ published_at, publish_at }: PublicationRow, nowMs: number): number {
  return published_at ?? Math.max(nowMs, publish_at ?? 0)
}

/** Returns that time as it is unpublished; null for one that was still to come, which makes it a draft again. */
function withdrawnPublication({ published_at, created_at }: PublicationRow, nowMs: number): number | null {
  if (published_at === null) return created_at
  return published_at > nowMs ? null : published_at
}
