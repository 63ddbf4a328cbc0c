import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { numberedPages } from './make-pdf-examples.ts'
import type { Dashboard } from './open-dashboard.ts'
import { publishPdf, untilRendered, type WirePublication } from './publish.ts'

/** A file as the browser's file chooser takes it. */
export type ChosenFile = { name: string; mimeType: string; buffer: Buffer }

/** Returns a PDF to choose. */
export function pdfFile(name: string, buffer: Buffer = numberedPages(1)): ChosenFile {
  return { name, mimeType: 'application/pdf', buffer }
}

/** Creates a workspace. @returns the address of its library, and its key */
export async function makeWorkspace(dashboard: Dashboard, name: string): Promise<{ path: string; apiKey: string }> {
  const { id, api_key } = await dashboard.service.createWorkspace(name)
  return { path: `/workspaces/${id}`, apiKey: api_key }
}

/** Publishes a document to a workspace and waits until it is rendered. */
export async function publishTo(
  { service }: Dashboard,
  apiKey: string,
  title: string,
  pdf?: Buffer,
): Promise<WirePublication> {
  const made = await publishPdf(service, { apiKey, title, pdf })
  await untilRendered(service, made.slug)
  return made
}

/** Presses a button that opens the file chooser, and chooses files, or the file of a path. */
export async function choose(page: Page, button: string, files: ChosenFile[] | string): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: button }).click()
  await (await choosing).setFiles(files)
}

/** Drags files over the page and drops them. */
export async function drop(page: Page, files: ChosenFile[], hint = 'Drop files to publish them'): Promise<void> {
  const given = files.map(({ name, mimeType, buffer }) => ({ name, type: mimeType, base64: buffer.toString('base64') }))
  const held = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer()
    for (const { name, type, base64 } of ${JSON.stringify(given)}) {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      transfer.items.add(new File([bytes], name, { type }))
    }
    return transfer
  })()`)
  await page.dispatchEvent('body', 'dragenter', { dataTransfer: held })
  const place = page.getByText(hint)
  await place.waitFor()
  await place.dispatchEvent('dragenter', { dataTransfer: held })
  await place.dispatchEvent('drop', { dataTransfer: held })
}

/** Fails unless the address answers with this status. */
export async function assertStatus(address: string, status: number): Promise<void> {
  assert.equal((await fetch(address)).status, status, address)
}
