import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, describe, test } from 'node:test'
import { assertStatus, choose, drop, makeWorkspace, pdfFile } from '../support/dashboard-library.ts'
import { encrypted, numberedPages } from '../support/make-pdf-examples.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { startTcpProxy, throughProxy } from '../support/tcp-proxy.ts'
import { largePdf } from '../support/upload-requests.ts'
import { assertSound, goOffline } from '../support/visit.ts'

const dashboard = await openDashboard({ after })
const { url } = dashboard.service

describe('files', async () => {
  const page = await dashboard.visitSignedIn({ after })
  afterEach(async () => await page.unrouteAll({ behavior: 'ignoreErrors' }))

  test('dropped on an empty library become publications with links to their pages', async () => {
    const { path } = await makeWorkspace(dashboard, 'Dropped')
    await page.goto(dashboard.at(path))
    await page.getByRole('heading', { name: 'No publications yet' }).waitFor()
    await assertSound(page)

    await drop(page, [pdfFile('annual_report.pdf', numberedPages(3)), pdfFile('Plan.pdf')])

    const uploads = page.getByRole('region', { name: 'Uploads' })
    await uploads.getByRole('link', { name: 'annual report' }).waitFor()
    await uploads.getByText('Published', { exact: true }).nth(1).waitFor()
    const library = page.getByRole('list', { name: 'Library' })
    await library.getByRole('link', { name: 'Plan' }).waitFor()
    await assertSound(page)
    await uploads.getByRole('link', { name: 'annual report' }).click()
    await page.getByRole('heading', { name: 'annual report', level: 1 }).waitFor()
    await assertStatus(`${url}/p/annual-report`, 200)
  })

  test('that cannot be published show why, and the others are published', async () => {
    const { path } = await makeWorkspace(dashboard, 'Mixed')
    await page.goto(dashboard.at(path))

    await choose(page, 'Upload files', [
      pdfFile('secret.pdf', encrypted()),
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') },
      pdfFile('fake.pdf', Buffer.from('no PDF at all')),
      pdfFile('half.pdf', numberedPages(3).subarray(0, 300)),
      pdfFile('nothing.pdf', Buffer.alloc(0)),
      pdfFile('Good one.pdf'),
    ])

    const uploads = page.getByRole('region', { name: 'Uploads' })
    await uploads.getByText('password-protected').waitFor()
    await uploads.getByText('The file is not a PDF, a ZIP').waitFor()
    await uploads.getByText('has the name of a PDF, but is not one').waitFor()
    await uploads.getByText('The PDF is incomplete').waitFor()
    await uploads.getByText('The file is empty').waitFor()
    await uploads.getByRole('link', { name: 'Good one' }).waitFor()
    await assertSound(page)
    await uploads.getByText('Published', { exact: true }).waitFor()
    await uploads.getByRole('button', { name: 'Clear finished' }).click()
    await uploads.waitFor({ state: 'detached' })
  })

  test('that are too large are not sent, and the message names the limit', async () => {
    const { path } = await makeWorkspace(dashboard, 'Small')
    await page.route('**/operator/settings', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), max_upload_bytes: 512 } })
    })
    await page.goto(dashboard.at(path))
    await page.getByRole('heading', { name: 'No publications yet' }).waitFor()

    await choose(page, 'Upload files', [pdfFile('large.pdf', numberedPages(9))])

    await page.getByText('The limit is 512 bytes').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Try again: large.pdf' }).count(), 0)
  })

  test('are cancelled while uploading', async () => {
    const { path } = await makeWorkspace(dashboard, 'Cancelled')
    await page.route('**/uploads/*', () => undefined)
    await page.goto(dashboard.at(path))

    await choose(
      page,
      'Upload files',
      ['one', 'two', 'three'].map((name) => pdfFile(`${name}.pdf`)),
    )
    await page.getByRole('progressbar', { name: 'Upload of one.pdf' }).waitFor({ state: 'attached' })
    await page.getByText('Waiting', { exact: true }).waitFor()
    for (const name of ['three', 'one', 'two'])
      await page.getByRole('button', { name: `Cancel the upload of ${name}.pdf` }).click()

    await page.getByRole('region', { name: 'Uploads' }).waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'No publications yet' }).waitFor()
  })

  test('are retried after a failure', async (t) => {
    const { path } = await makeWorkspace(dashboard, 'Flaky')
    const page = await dashboard.visitSignedIn(t)
    await page.route('**/uploads/*', (route) => route.abort(), { times: 1 })
    await page.goto(dashboard.at(path))

    await choose(page, 'Upload files', [pdfFile('persistent.pdf')])
    await page.getByText('The server is not responding. Check').waitFor()
    await page.getByRole('button', { name: 'Try again: persistent.pdf' }).click()

    await page.getByRole('region', { name: 'Uploads' }).getByText('Published', { exact: true }).waitFor()
  })

  test('go on by themselves when the browser is online again', async () => {
    const { path } = await makeWorkspace(dashboard, 'Tunnel')
    await page.goto(dashboard.at(path))
    await page.getByRole('heading', { name: 'No publications yet' }).waitFor()
    await goOffline(page)
    await choose(
      page,
      'Upload files',
      ['one', 'two', 'three'].map((name) => pdfFile(`${name}.pdf`)),
    )
    await page.getByText('3 files could not be added').waitFor()

    await page.context().setOffline(false)

    await page.getByText('3 files published').waitFor()
  })

  test('of more than 16 MB go on by themselves after the network is cut, and after a reload once chosen again', async (t) => {
    const { path } = await makeWorkspace(dashboard, 'Interrupted')
    const folder = mkdtempSync(join(tmpdir(), 'large-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'Atlas.pdf')
    writeFileSync(file, largePdf(24_000_000))
    const proxy = await startTcpProxy(t, new URL(url))
    const page = await dashboard.visitSignedIn(t)
    await page.goto(throughProxy(dashboard.at(path), proxy))
    await page.getByRole('heading', { name: 'No publications yet' }).waitFor()
    const offsets: number[] = []
    let isHeld = false
    await page.route('**/uploads/*', async (route) => {
      const request = route.request()
      if (request.method() === 'PATCH' && !isHeld) offsets.push(Number(request.headers()['upload-offset']))
      if (isHeld) await route.abort()
      else await route.continue()
    })

    // The page goes on by itself after the first cut, and is reloaded after the second one.
    const isOver = proxy
      .closeAfter(6_000_000)
      .then(() => proxy.closeAfter(6_000_000))
      .then(() => {
        isHeld = true
        return proxy.vanish()
      })
    await choose(page, 'Upload files', file)
    await isOver
    await proxy.comeBack()
    page.once('dialog', (dialog) => void dialog.accept())
    await page.reload()
    isHeld = false
    await choose(page, 'Upload files', file)

    await page.getByRole('region', { name: 'Uploads' }).getByText('Published', { exact: true }).waitFor()
    assert.equal(offsets[0], 0)
    assert.ok(offsets.at(-1)! > 0, `requests at ${offsets}`)
  })

  test('keep uploading on other pages, and warn before the dashboard is left', async () => {
    const { path } = await makeWorkspace(dashboard, 'Busy')
    const held = Promise.withResolvers<void>()
    await page.route('**/uploads/*', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.goto(dashboard.at(path))
    await choose(page, 'Upload files', [pdfFile('slow.pdf')])
    await page.getByRole('button', { name: 'Cancel the upload of slow.pdf' }).waitFor()

    const warned = page.waitForEvent('dialog')
    await page.evaluate('setTimeout(() => location.reload())')
    const dialog = await warned
    assert.equal(dialog.type(), 'beforeunload')
    await dialog.dismiss()
    await page.getByRole('link', { name: 'Administration' }).click()
    await page.getByRole('link', { name: 'Operators' }).click()
    await page.getByRole('heading', { name: 'Operators', level: 1 }).waitFor()
    const panel = page.getByRole('region', { name: 'Uploads' })
    await panel.getByText('Uploading 1 file').waitFor()
    await panel.getByRole('button', { name: 'Show files' }).click()
    await panel.getByRole('button', { name: 'Cancel the upload of slow.pdf' }).waitFor()
    await assertSound(page)
    await page.getByRole('button', { name: /^Account:/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('dialog', { name: 'Uploads in progress' }).getByRole('button', { name: 'Cancel' }).click()
    held.resolve()
    await panel.getByText('1 file published').waitFor()
    await page.getByRole('link', { name: 'Workspaces' }).click()

    await page.getByRole('link', { name: 'Busy' }).click()
    await page.getByRole('region', { name: 'Uploads' }).getByRole('link', { name: 'slow' }).waitFor()
  })
})
