import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDashboard } from '../support/open-dashboard.ts'

const dashboard = await openDashboard({ after })

/** The reference is a large program, which takes a busy machine half a minute to start. */
const STARTED = { timeout: 60_000 }

test('the API reference sends a request with a token, and talks to nobody but the server', async (t) => {
  const { service } = dashboard
  const page = await dashboard.visit(t)
  const others: string[] = []
  page.on('request', (request) => void (request.url().startsWith(service.url) || others.push(request.url())))
  const refused: string[] = []
  page.on(
    'console',
    (message) => void (message.text().includes('Content Security Policy') && refused.push(message.text())),
  )

  await page.goto(`${service.url}/docs`)
  await page
    .getByRole('link', { name: /List tracks/ })
    .first()
    .click(STARTED)
  await page.getByRole('button', { name: 'Test Request (get /tracks)' }).click(STARTED)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Value' }).first().fill(service.token)
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/tracks', STARTED)
  await dialog.getByRole('button', { name: 'Send' }).first().click()

  const response = await answered
  assert.equal(response.status(), 200)
  assert.equal(new URL(response.url()).origin, service.url)
  await dialog.getByText('200').first().waitFor(STARTED)
  assert.deepEqual([others, refused], [[], []])
})
