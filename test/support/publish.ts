import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { flatPages } from './make-pdf-examples.ts'
import type { StartedPublications } from './start-service.ts'

/** The answer of `POST /publications/upload-url`. */
export type WireTicket = {
  uploadUrl: string
  token: string
  storageKey: string
  pdfPath: string
  workspaceId: string
}

/** A publication as its owner reads it. */
export type WirePublication = {
  id: string
  slug: string
  title: string
  status: 'processing' | 'ready' | 'failed'
  page_count: number
  pages_ready: number
  pages_recognized: number
  recognize_text: boolean
  size: number
  public_url: string
  failure: { code: string; detail: string } | null
  failed_pages?: { page: number; reason: string }[]
  findings?: string[]
  language?: string | null
  detected_language?: string | null
  visibility: 'draft' | 'visible' | 'scheduled' | 'expired' | 'unpublished'
  publish_at: string | null
  expires_at: string | null
  unpublished_at: string | null
  created_at: string
  updated_at: string
}

export type PublishOptions = {
  title?: string
  /** Path of the file within the workspace. */
  path?: string
  /** The file; by default one with `pages` pages. */
  pdf?: Uint8Array
  pages?: number
  access?: 'public' | 'unlisted' | 'restricted'
  draft?: boolean
  recognize_text?: boolean
  publish_at?: string
  expires_at?: string
  password?: string
  /** Key of its workspace; by default the first one. */
  apiKey?: string
}

type Service = Pick<StartedPublications, 'url' | 'request'>

/** Sends a request with the given API key, or that of the first workspace. */
export function sendAs(service: Service, apiKey: string | undefined): StartedPublications['request'] {
  if (apiKey === undefined) return service.request
  return (method, path, json, headers) => service.request(method, path, json, { 'X-API-Key': apiKey, ...headers })
}

/** Requests an upload ticket, which must succeed. */
export async function askForTicket(service: Service, options: PublishOptions = {}): Promise<WireTicket> {
  const { path, apiKey } = options
  const response = await sendAs(service, apiKey)('POST', '/publications/upload-url', { type: 'pdf', path })
  return await answer<WireTicket>(response, 200)
}

/** Uploads a PDF with a new ticket. @returns the request body that creates the publication */
export async function uploadPdf(service: Service, options: PublishOptions = {}) {
  const { uploadUrl, storageKey, pdfPath } = await askForTicket(service, options)
  const body = new Uint8Array(options.pdf ?? flatPages(options.pages ?? 1))
  const response = await fetch(uploadUrl, { method: 'PUT', headers: { 'Content-Type': 'application/pdf' }, body })
  await answer(response, 200)
  return { title: options.title ?? 'A document', storageKey, pdfPath, sourceType: 'pdf' }
}

/** Uploads a PDF and creates a publication, which is not rendered yet. */
export async function publishPdf(service: Service, options: PublishOptions = {}): Promise<WirePublication> {
  const { access, draft, recognize_text, publish_at, expires_at, password } = options
  const given = { access, draft, recognize_text, publish_at, expires_at, password }
  const body = { ...(await uploadPdf(service, options)), ...given }
  return await answer(await sendAs(service, options.apiKey)('POST', '/publications', body), 201)
}

/** Waits until all pages are rendered. @returns the publication as readers get it */
export async function untilRendered(service: Service, slug: string): Promise<WirePublication> {
  for (;;) {
    const response = await service.request('GET', `/publications/${slug}`)
    const publication = await answer<WirePublication>(response, 200)
    if (publication.status !== 'processing' && publication.pages_ready === publication.page_count) return publication
    await wait(20)
  }
}

/** Returns the publications of a workspace, newest first. */
export async function listPublications(service: Service, apiKey?: string): Promise<WirePublication[]> {
  return await answer(await sendAs(service, apiKey)('GET', '/publications'), 200)
}

/** Requires a status of a response. @returns its JSON */
export async function answer<Body>(response: Response, status: number): Promise<Body> {
  const text = await response.text()
  assert.equal(response.status, status, text)
  return (text === '' ? undefined : JSON.parse(text)) as Body
}
