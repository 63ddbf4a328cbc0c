import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { unavailable } from '../../src/platform/basics/errors.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { assertSound } from '../support/visit.ts'

const dashboard = await openDashboard({ after })
const { jobs } = dashboard.service.server.operator!.deps

describe('the background jobs', () => {
  test('say why one failed, and run again by the keyboard', async (t) => {
    const outcomes = [Promise.reject(unavailable({ detail: 'The disk is full.' })), Promise.resolve()]
    const own = jobs.of('test')
    t.after(() => own.close())
    own.every('test-job', { everyMs: 3_600_000, doc: 'Does what the test wants.', run: () => outcomes.shift() })
    await jobs.run('test-job')
    const page = await dashboard.visitSignedIn(t)

    await page.goto(dashboard.at('/events'))
    await page.getByRole('link', { name: 'Administration' }).click()
    await page.getByRole('link', { name: 'Background jobs' }).click()
    const row = page.getByRole('row', { name: /test-job.*Does what the test wants/ })
    await row.getByText('Failed').waitFor()
    await row.getByText('The disk is full.').waitFor()
    await page.getByRole('alert').getByText('One job failed at its last run: test-job.').waitFor()
    await page.getByRole('row', { name: /Documents to render.* 0 all instances/ }).waitFor()
    // Away from the link, whose colours change under the pointer.
    await page.mouse.move(700, 20)
    await assertSound(page)
    const button = page.getByRole('button', { name: 'Run now: test-job' })
    await button.focus()
    await page.keyboard.press('Enter')

    await page.getByRole('status').getByText('Done: test-job').waitFor()
    await row.getByText('OK', { exact: true }).waitFor()
    await button.and(page.locator(':focus')).waitFor()
    assert.equal(await page.getByText('The disk is full.').count(), 0)
  })

  test('are in French and narrow, too, and one that runs cannot be started', async (t) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const own = jobs.of('test')
    t.after(() => own.close())
    let runs = 0
    own.every('test-job', {
      everyMs: 3_600_000,
      doc: 'Lasts.',
      run: () => {
        runs++
        return promise
      },
    })
    void jobs.run('test-job')
    const page = await dashboard.visitSignedIn(t, { locale: 'fr-FR', viewport: { width: 390, height: 800 } })

    await page.goto(dashboard.at('/jobs'))
    const button = page.getByRole('button', { name: 'Exécuter maintenant : test-job' })
    await button.and(page.locator('[aria-disabled=true]')).waitFor()
    await assertSound(page)
    await button.press('Enter')
    resolve()
    await button.and(page.locator('[aria-disabled=false]')).waitFor()

    assert.equal(runs, 1)
  })
})
