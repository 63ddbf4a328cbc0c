import assert from 'node:assert/strict'
import type { OperatorPublication } from '../../src/publications/library/publication-schemas.ts'
import type { CreatedWorkspace } from '../../src/publications/library/workspaces.ts'
import type { Browser } from './browser.ts'
import type { Owner, TestDatabase } from './databases.ts'
import { flatPages } from './make-pdf-examples.ts'
import type { WireTicket } from './publish.ts'
import { type ServiceOptions, type StartedService, startService } from './start-service.ts'

/** The whole program, with a signed-in operator who publishes. */
export type OperatorLibrary = {
  service: StartedService
  browser: Browser
  /** Sends a request as the operator, requires this status, and returns the body. */
  ask: StartedService['answer']
  createWorkspace(name?: string): Promise<CreatedWorkspace>
  /** Uploads a file as the dashboard does. @returns the fields that creating a publication takes besides the title */
  upload(workspaceId: string, pdf?: Uint8Array): Promise<{ storageKey: string; pdfPath: string }>
  publish(workspaceId: string, title: string, pdf?: Uint8Array): Promise<OperatorPublication>
}

/** Starts the program on a fresh database of the given engine and signs in an operator. */
export async function startLibrary(
  owner: Owner,
  database: TestDatabase,
  options: Pick<ServiceOptions, 'settings' | 'blobs' | 'resolveName'> = {},
): Promise<OperatorLibrary> {
  const service = await startService(owner, database, { ...options, signedIn: true })
  const { operator: browser, answer: ask } = service

  async function upload(workspaceId: string, pdf: Uint8Array = flatPages(1)) {
    const ticket = await ask<WireTicket>(200, 'POST', `/operator/workspaces/${workspaceId}/upload-url`, {})
    const { uploadUrl, storageKey, pdfPath } = ticket
    const headers = { 'Content-Type': 'application/pdf' }
    const response = await fetch(uploadUrl, { method: 'PUT', headers, body: new Uint8Array(pdf) })
    assert.equal(response.status, 200, await response.text())
    return { storageKey, pdfPath }
  }

  return {
    service,
    browser,
    ask,
    upload,
    createWorkspace: (name = 'Communication') => ask(201, 'POST', '/operator/workspaces', { name }),
    async publish(workspaceId, title, pdf) {
      const file = await upload(workspaceId, pdf)
      return await ask(201, 'POST', `/operator/workspaces/${workspaceId}/publications`, { title, ...file })
    },
  }
}
