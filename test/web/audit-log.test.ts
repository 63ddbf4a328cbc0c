import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, describe, test } from 'node:test'
import { actionWords } from '../../web/dashboard/administration/audit-words.ts'
import { forgetConfirmation, openDashboard, PASSWORD } from '../support/open-dashboard.ts'
import { assertSound } from '../support/visit.ts'

const dashboard = await openDashboard({ after }, { signedIn: true })
const { service } = dashboard

describe('the audit log', async () => {
  const page = await dashboard.visitSignedIn({ after })

  test('tells in sentences what was done, with details and everything about one thing', async () => {
    const { id } = await service.answer<{ id: string }>(201, 'POST', '/operator/events', { name: 'Night run' })
    await service.answer(200, 'PATCH', `/operator/events/${id}`, { name: 'Day run' })

    await page.goto(dashboard.at('/events'))
    await page.getByRole('link', { name: 'Administration' }).click()
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('row', { name: /Operator .* created an event: Night run Succeeded/ }).waitFor()
    const section = page.getByRole('link', { name: 'Administration' })
    assert.equal(await section.getAttribute('aria-current'), 'page')
    // Away from the link, whose colours change under the pointer.
    await page.mouse.move(700, 400)
    await assertSound(page)
    await page
      .getByRole('row', { name: /changed an event: Night run/ })
      .getByRole('button')
      .click()
    await page.getByRole('dialog').getByText('{"fields":["name"]}').waitFor()
    await assertSound(page)
    await page.getByRole('button', { name: 'Show everything about it' }).click()
    await page.getByText('Only records about one thing are shown.').waitFor()

    assert.match(page.url(), /subject=/)
    await page.getByRole('row', { name: /set a password/ }).waitFor({ state: 'detached' })
    await page.getByRole('row').nth(2).waitFor()
    assert.equal(await page.getByRole('row').count(), 3)
    await page.getByLabel('Outcome').selectOption('Failed')
    await page.getByRole('heading', { name: 'No records' }).waitFor()
  })

  test('shows the values before and after a change', async () => {
    const { id } = await dashboard.service.createEvent('Limited')
    for (const max_tracks of [12, null]) await service.answer(200, 'PATCH', `/operator/events/${id}`, { max_tracks })

    await page.goto(dashboard.at('/audit'))
    const changes = page.getByRole('row', { name: /changed an event: Limited/ })
    await changes.nth(1).getByRole('button').click()
    await page.getByRole('dialog').getByText('none → 12').waitFor()
    await page.keyboard.press('Escape')
    await changes.first().getByRole('button').click()
    await page.getByRole('dialog').getByText('12 → none').waitFor()
  })

  test('says in the sentence itself that a sign-in was refused', async () => {
    await service.answer(401, 'POST', '/operator/session', { name: 'operator', password: 'not the password' })
    await service.server.operator!.deps.audit.flush()

    await page.goto(dashboard.at('/audit?outcome=refused'))

    await page
      .getByRole('row', { name: /Somebody could not sign in: operator.* Refused/ })
      .first()
      .waitFor()
    assert.equal(await page.getByText('signed in').count(), 0)
    await page.getByRole('button', { name: 'Details' }).first().click()
    await page.getByRole('dialog').getByText('could not sign in').waitFor()
  })

  test('is in French and narrow, too, with a download of what the filters leave', async (t) => {
    const page = await dashboard.visitSignedIn(t, { locale: 'fr-FR', viewport: { width: 380, height: 800 } })

    await page.goto(dashboard.at('/audit?source=dashboard'))
    await page.getByText('a défini un mot de passe avec un lien de connexion').first().waitFor()
    await assertSound(page)
    await page.getByRole('button', { name: 'Télécharger' }).click()
    await forgetConfirmation(service)
    const arriving = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: /CSV/ }).click()
    const confirmation = page.getByRole('dialog', { name: 'Confirmez votre identité' })
    await confirmation.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')

    const file = await readFile(await (await arriving).path(), 'utf8')
    assert.match(file, /redeemSignInLink/)
  })

  test('has words in both languages for what is recorded', async () => {
    const [english, french] = await Promise.all(['en', 'fr'].map(readActions))
    const document = JSON.parse(
      await readFile(new URL('../../docs/api/dashboard.openapi.json', import.meta.url), 'utf8'),
    )
    const operations = Object.entries(document.paths as Record<string, Record<string, { operationId: string }>>)
      .filter(([path]) => path.startsWith('/operator/'))
      .flatMap(([, methods]) => Object.entries(methods))
      .filter(([method]) => method !== 'get')
      .map(([, { operationId }]) => operationId)

    for (const outcome of ['succeeded', 'refused'] as const)
      assert.deepEqual(
        operations.filter((id) => [english, french].some((words) => actionWords(words, id, outcome) === undefined)),
        [],
      )
    assert.equal(actionWords(english, 'signIn', 'refused'), 'could not sign in')
    assert.equal(actionWords(french, 'signIn', 'refused'), 'a tenté sans succès de se connecter')
    assert.equal(actionWords(french, 'operatorDeleteEvent', 'failed'), 'a tenté sans succès de supprimer un événement')
    assert.equal(actionWords(english, 'changePassword', 'failed'), 'could not change their password')
    assert.equal(actionWords(english, 'signOut', 'unknown'), 'signed out')
    assert.equal(actionWords(english, 'refuseShare', 'refused'), 'opened a share link that does not exist')
  })
})

async function readActions(language: string): Promise<Record<string, string>> {
  const file = new URL(`../../web/locales/${language}/administration.json`, import.meta.url)
  return JSON.parse(await readFile(file, 'utf8'))
}
