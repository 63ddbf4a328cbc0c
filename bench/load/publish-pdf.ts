import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { Target } from '../program/target.ts'

export type Ticket = { uploadUrl: string; storageKey: string; pdfPath: string }

/** The part of the API's publication that the benchmark uses. */
export type Published = {
  slug: string
  status: string
  page_count: number
  pages_ready: number
  pages_recognized: number
}

export async function newTicket(target: Target, type: 'pdf' | 'images' = 'pdf'): Promise<Ticket> {
  return (await send(target, 'POST', '/publications/upload-url', { type })) as Ticket
}

/** Sends bytes by HTTP PUT in pieces of 64 KiB, as fast as the server reads them. @throws if the upload is refused */
export async function putBytes(url: string, bytes: Buffer, type = 'application/pdf'): Promise<void> {
  const headers = { 'content-type': type, 'content-length': bytes.length }
  const put = request(url, { method: 'PUT', headers, agent: false })
  const answered = new Promise<number>((resolve, reject) => {
    put.once('response', (response) => response.resume().once('end', () => resolve(response.statusCode!)))
    put.once('error', reject)
  })
  await pipeline(Readable.from(piecesOf(bytes)), put)
  const status = await answered
  if (status !== 200) throw new Error(`The upload was answered ${status}`)
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

/** Publishes the file uploaded with a ticket. */
export async function createPublication(
  target: Target,
  { storageKey, pdfPath }: Ticket,
  sourceType: 'pdf' | 'images' = 'pdf',
): Promise<Published> {
  const body = { title: 'Measured', storageKey, pdfPath, sourceType }
  return (await send(target, 'POST', '/publications', body)) as Published
}

/** Uploads and publishes a file. */
export async function publishPdf(target: Target, path: string): Promise<Published> {
  const ticket = await newTicket(target)
  await putBytes(ticket.uploadUrl, readFileSync(path))
  return await createPublication(target, ticket)
}

export async function imageAddresses(target: Target, slug: string): Promise<string[]> {
  return ((await send(target, 'GET', `/publications/${slug}/images`)) as { images: string[] }).images
}

export async function findPublication(target: Target, slug: string): Promise<Published> {
  return (await send(target, 'GET', `/publications/${slug}`)) as Published
}

/** Pause between two questions whether pages are there. */
const POLL_MS = 25

/** Waits until all pages of a publication can be read. */
export async function untilReadable(target: Target, slug: string): Promise<Published> {
  for (;;) {
    const published = await findPublication(target, slug)
    if (published.pages_ready === published.page_count) return published
    await wait(POLL_MS)
  }
}

/** Deletes a publication, which ends the rendering of its pages. */
export async function deletePublication(target: Target, slug: string): Promise<void> {
  const headers = { 'X-Api-Key': target.apiKey }
  const answer = await fetch(`${target.url}/publications/${slug}`, { method: 'DELETE', headers })
  if (!answer.ok) throw new Error(`DELETE was answered ${answer.status}: ${await answer.text()}`)
}

async function send(target: Target, method: string, path: string, json?: object): Promise<unknown> {
  const answer = await fetch(target.url + path, {
    method,
    headers: { 'X-Api-Key': target.apiKey, ...(json === undefined ? {} : { 'Content-Type': 'application/json' }) },
    body: json === undefined ? undefined : JSON.stringify(json),
  })
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`)
  return await answer.json()
}
