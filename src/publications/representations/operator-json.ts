import type { Keys } from '#platform/security/secret.ts'
import { formatDateTime } from '#platform/time/date-time.ts'
import { maskToken } from '#platform/tokens/owned-tokens.ts'
import { parsePermissions } from '#platform/tokens/permission-list.ts'
import { openToken } from '#platform/tokens/token.ts'
import type { Addresses } from '../domain/addresses.ts'
import type { DocumentFacts } from '../domain/document-facts.ts'
import { PAGE_WIDTH } from '../domain/image-forms.ts'
import { FALLBACK_SIZE, imageSize } from '../domain/image-size.ts'
import { PERMISSIONS } from '../domain/permission.ts'
import type { ApiKey, ShownApiKey } from '../schemas/keys.ts'
import type { LibraryEntry } from '../schemas/library.ts'
import type { OperatorPage } from '../schemas/pages.ts'
import type { OperatorWorkspace, WorkspaceKey } from '../schemas/workspaces.ts'
import { keyId } from '../storage/api-keys-store.ts'
import type { PageState } from '../storage/library/library-store.ts'
import type { CountedWorkspace } from '../storage/operator-workspaces-store.ts'
import type { Publication } from '../storage/publications-store.ts'
import type { ApiKeyRow } from '../storage/tables.ts'
import { listedJson } from './publication-json.ts'

const COVER_WIDTH = 600

/** Returns a workspace with counts of its contents. */
export function workspaceJson(workspace: CountedWorkspace): OperatorWorkspace {
  const { id, name, created_at, publications_count, processing_count, stored_bytes } = workspace
  const { max_bytes, max_publications } = workspace
  const counts = { publications_count, processing_count, stored_bytes, max_bytes, max_publications }
  return { id, name, created_at: formatDateTime(created_at), ...counts }
}

/** Returns the newest of a workspace's keys in plain text, and the others, which all have an end. */
export function workspaceKeyJson([newest, ...others]: readonly ApiKeyRow[], sealingKeys: Keys): WorkspaceKey {
  return {
    api_key: (newest && openToken(newest.sealed, sealingKeys)) ?? null,
    created_at: newest === undefined ? null : formatDateTime(newest.created_at),
    ending: others.flatMap(({ sealed, created_at, expires_at }) =>
      expires_at === null
        ? []
        : {
            masked: maskedKey(openToken(sealed, sealingKeys)),
            created_at: formatDateTime(created_at),
            expires_at: formatDateTime(expires_at),
          },
    ),
  }
}

/** Represents a key without its text. */
export function apiKeyJson(row: ApiKeyRow, sealingKeys: Keys): ApiKey {
  return describeKey(row, openToken(row.sealed, sealingKeys))
}

/** Represents a key with its text. */
export function shownKeyJson(row: ApiKeyRow, sealingKeys: Keys): ShownApiKey {
  const text = openToken(row.sealed, sealingKeys)
  return { ...describeKey(row, text), api_key: text ?? null }
}

function describeKey(row: ApiKeyRow, text: string | undefined): ApiKey {
  return {
    id: keyId(row),
    label: row.label,
    masked: text === undefined ? null : maskToken(text),
    permissions: [...parsePermissions(row.permissions, PERMISSIONS)],
    is_first: row.is_first === 1,
    created_at: formatDateTime(row.created_at),
    expires_at: row.expires_at === null ? null : formatDateTime(row.expires_at),
    last_used_at: row.last_used_at === null ? null : formatDateTime(row.last_used_at),
  }
}

function maskedKey(key: string | undefined): string | null {
  return key === undefined ? null : maskToken(key)
}

/** Returns a publication as an entry of a library. */
export function libraryEntry(publication: Publication, views: number, addresses: Addresses): LibraryEntry {
  return {
    ...listedJson(publication, addresses),
    cover: pageImagePath(publication, 1, COVER_WIDTH),
    views,
  }
}

/** Returns all pages of a publication, finished or not. */
export function pagesJson(
  publication: Publication,
  facts: Partial<DocumentFacts>,
  finished: readonly PageState[],
): OperatorPage[] {
  const states = new Map(finished.map((state) => [state.page, state]))
  return Array.from({ length: publication.page_count }, (_, at) => {
    const page = at + 1
    const state = states.get(page)
    const { label, ...size } = facts.pages?.[at] ?? { ...FALLBACK_SIZE, label: undefined }
    return {
      page,
      label: label ?? null,
      ...imageSize(size, PAGE_WIDTH),
      image: pageImagePath(publication, page, PAGE_WIDTH),
      thumbnail: pageImagePath(publication, page, COVER_WIDTH),
      state: state === undefined ? 'waiting' : state.failedReason === null ? 'ready' : 'failed',
      failed_reason: state?.failedReason ?? null,
      text_length: state?.textLength ?? null,
    }
  })
}

/** Returns an operator's address of a page image: readers' addresses do not work while a publication is unpublished. */
function pageImagePath({ id, version_id }: Publication, page: number, width: number): string {
  return `/operator/publications/${id}/pages/${page}/image?version=${version_id}&width=${width}`
}
