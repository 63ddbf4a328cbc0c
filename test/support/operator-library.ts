import assert from 'node:assert/strict'
import type { OperatorPublication } from '../../src/publications/schemas/operator-publication.ts'
import type { CreatedWorkspace } from '../../src/publications/schemas/workspaces.ts'
import type { Browser } from './browser.ts'
import type { Owner, TestDatabase } from './databases.ts'
import { numberedPages } from './make-pdf-examples.ts'
import type { WireTicket } from './publish.ts'
import { signIn } from './sign-in.ts'
import { type StartedService, startService } from './start-service.ts'

/** The whole program with an operator who is signed in. */
export type OperatorLibrary = {
  service: StartedService
  browser: Browser
  /** The body of the answer to the operator's request, which must have this status. */
  ask<Body>(status: number, method: string, path: string, json?: unknown): Promise<Body>
  createWorkspace(name?: string): Promise<CreatedWorkspace>
  /** Uploads a file as the dashboard does; what it gives is what creating a publication takes besides the title. */
  upload(workspaceId: string, pdf?: Uint8Array): Promise<{ storageKey: string; pdfPath: string }>
  publish(workspaceId: string, title: string, pdf?: Uint8Array): Promise<OperatorPublication>
}

/** Starts the program on a fresh database of the given engine and signs an operator in. */
export async function startLibrary(
  owner: Owner,
  database: TestDatabase,
  env: Record<string, string> = {},
): Promise<OperatorLibrary> {
  const service = await startService(owner, database, env)
  const browser = await signIn(service)

  async function ask<Body>(status: number, method: string, path: string, json?: unknown): Promise<Body> {
    const response = await browser.request(method, path, json)
    const text = await response.text()
    assert.equal(response.status, status, text)
    return (text === '' ? undefined : JSON.parse(text)) as Body
  }

  async function upload(workspaceId: string, pdf: Uint8Array = numberedPages(1)) {
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
