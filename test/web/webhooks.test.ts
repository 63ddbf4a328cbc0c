import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openDashboard } from '../support/open-dashboard.ts'
import { assertSound } from '../support/visit.ts'
import { startWebhookReceiver, verifyMessage } from '../support/webhook-receiver.ts'

const receiver = await startWebhookReceiver({ after })
const dashboard = await openDashboard({ after }, { settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } })
const { service } = dashboard

describe('the webhooks of an event', () => {
  test('are created, tested, sent again, disabled and deleted', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at(`/events/${service.eventId}/settings/developers`))
    await page.getByRole('heading', { name: 'No webhooks' }).waitFor()
    await assertSound(page)

    await page.getByRole('button', { name: 'New webhook' }).click()
    const form = page.getByRole('dialog', { name: 'New webhook' })
    await form.getByRole('textbox', { name: 'URL' }).fill('https://10.0.0.1/')
    await form.getByRole('button', { name: 'Create webhook' }).click()
    await form.getByText('This address cannot be used.').waitFor()
    await form.getByRole('textbox', { name: 'URL' }).fill(receiver.url)
    await form.getByRole('checkbox', { name: 'track.created' }).uncheck()
    await assertSound(page)
    await form.getByRole('button', { name: 'Create webhook' }).click()
    const handover = page.getByRole('dialog', { name: 'Your new secret' })
    const secret = await handover.getByText(/^whsec_/).textContent()
    await assertSound(page)
    await handover.getByRole('button', { name: 'Done' }).click()

    await page.getByRole('button', { name: `Send test to ${receiver.url}` }).click()
    const log = page.getByRole('table', { name: `Log of ${receiver.url}` })
    await log.getByText('Delivered').waitFor()
    await assertSound(page)
    await log.getByRole('button', { name: 'Send again: webhook.test' }).click()
    const [first, again] = await receiver.until(2)
    await page.getByRole('button', { name: `Disable ${receiver.url}` }).click()
    await page.getByRole('button', { name: `Enable ${receiver.url}` }).waitFor()
    await page.getByRole('button', { name: `Delete ${receiver.url}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()

    await page.getByRole('heading', { name: 'No webhooks' }).waitFor()
    verifyMessage(secret!, first)
    assert.equal(again.id, first.id)
  })
})

describe('the webhooks of a workspace', () => {
  test('have a secret that is exchanged while the former one still signs', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at(`/workspaces/${service.workspaceId}/programs`))
    await page.getByRole('button', { name: 'New webhook' }).click()
    await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url)
    await page.getByRole('button', { name: 'Create webhook' }).click()
    const handover = page.getByRole('dialog', { name: 'Your new secret' })
    const former = await handover.getByText(/^whsec_/).textContent()
    await handover.getByRole('button', { name: 'Done' }).click()

    await page.getByRole('button', { name: `Rotate secret of ${receiver.url}` }).click()
    await page.getByRole('dialog', { name: 'Rotate secret' }).getByRole('button', { name: 'Rotate secret' }).click()
    const current = await handover.getByText(/^whsec_/).textContent()
    await handover.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Messages are also signed with the old secret until').waitFor()
    await assertSound(page)
    const before = receiver.received.length
    await page.getByRole('button', { name: `Send test to ${receiver.url}` }).click()
    const message = (await receiver.until(before + 1)).at(-1)!

    assert.notEqual(current, former)
    for (const secret of [former, current]) verifyMessage(secret!, message)
  })
})
