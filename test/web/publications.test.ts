import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { damagedPages } from '../support/damaged-pages.ts'
import { assertStatus, choose, makeWorkspace, pdfFile, publishTo } from '../support/dashboard-library.ts'
import { active, encrypted, numberedPages, outlined } from '../support/make-pdf-examples.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { assertSound } from '../support/visit.ts'

const dashboard = await openDashboard({ after })
const { url } = dashboard.service

describe('a publication', async () => {
  const page = await dashboard.visitSignedIn({ after })

  test('shows its pages, address, embed code, QR code and document', async () => {
    const { apiKey } = await makeWorkspace(dashboard, 'Shown')
    const { id, public_url } = await publishTo(dashboard, apiKey, 'Shown document', outlined())

    await dashboard.go(page, dashboard.at(`/publications/${id}`))

    await page.getByRole('code').getByText(public_url, { exact: true }).waitFor()
    await page.getByText(`<iframe src="${public_url}/embed"`).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Open' }).getAttribute('href'), public_url)
    await page.getByRole('row', { name: /Language.*Swiss High German/ }).waitFor()
    await page.getByRole('row', { name: /Table of contents.*3/ }).waitFor()
    for (const [button, ending] of [
      ['Download PNG', 'png'],
      ['Download SVG', 'svg'],
    ]) {
      const downloading = page.waitForEvent('download')
      await page.getByRole('button', { name: button }).click()
      assert.equal((await downloading).suggestedFilename(), `shown-document.${ending}`)
    }
    await page.getByRole('button', { name: 'Show: Page 2' }).click()
    const preview = page.getByRole('figure', { name: 'Preview' })
    await preview.getByRole('img', { name: 'Page 2' }).waitFor()
    await preview.getByRole('button', { name: 'Previous page' }).click()
    await preview.getByRole('img', { name: 'Page 1' }).waitFor()
    await assertSound(page)
  })

  test('is edited beside a preview of what readers see first; its former settings lead there', async (t) => {
    const { apiKey } = await makeWorkspace(dashboard, 'Previewed')
    const { id } = await publishTo(dashboard, apiKey, 'Plain', numberedPages(5))
    const viewport = { width: 1024, height: 768 }
    const page = await dashboard.visitSignedIn(t, { viewport, colorScheme: 'dark' })

    await dashboard.go(page, dashboard.at(`/publications/${id}/settings`))
    const preview = page.getByRole('figure', { name: 'Preview' })
    await preview.getByText('First view: Continuous scroll').waitFor()
    assert.equal(page.url(), dashboard.at(`/publications/${id}`))
    await page.getByLabel('Title').fill('A magazine')
    await page.getByRole('textbox', { name: 'Author' }).fill('Ada Lovelace')
    await page.getByLabel('URL slug').fill('a-magazine')
    await page.getByLabel('First view').selectOption('Two pages, the cover alone')

    await preview.getByText('A magazine', { exact: true }).waitFor()
    await preview.getByText('Ada Lovelace').waitFor()
    await preview.getByText(`${url}/p/a-magazine`).waitFor()
    await preview.getByRole('button', { name: 'Next page' }).press('Enter')
    await preview.getByRole('img', { name: 'Page 3' }).waitFor()
    await preview.getByRole('img', { name: 'Page 2' }).waitFor()
    const [shown, edited] = [await preview.boundingBox(), await page.getByLabel('Title').boundingBox()]
    assert.ok(shown!.x + shown!.width <= edited!.x, 'beside each other')
    await assertSound(page)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'A magazine', level: 1 }).waitFor()
  })

  test('shows problems of its pages, active content of its file, and which stored files are missing or damaged', async () => {
    const { apiKey } = await makeWorkspace(dashboard, 'Troubled')
    const damaged = await publishTo(dashboard, apiKey, 'Damaged', damagedPages([2], 3))
    const lively = await publishTo(dashboard, apiKey, 'Lively', active())

    await dashboard.go(page, dashboard.at(`/publications/${damaged.id}`))
    await page.getByText('1 page could not be rendered').waitFor()
    await page.getByText('The page is damaged and cannot be read.').waitFor()
    await page.getByRole('button', { name: 'Page 2', exact: true }).click()
    await page.getByRole('figure', { name: 'Preview' }).getByText('Readers see this placeholder').waitFor()
    await dashboard.go(page, dashboard.at(`/publications/${lively.id}`))

    await page.getByText('It contains scripts (JavaScript).').waitFor()
    await page.getByText('It has attachments.').waitFor()
    await page.getByText('1 page without text').waitFor()

    const { id } = lively
    const { db, inspection } = dashboard.service.server.publications!.deps
    const { blob_key } = await db
      .selectFrom('versions')
      .select('blob_key')
      .where('publication_id', '=', id)
      .executeTakeFirstOrThrow()
    const file = { kind: 'file', detail: '', subject_id: id } as const
    await inspection.store.note({ ...file, key: blob_key, problem: 'missing' }, Date.now())
    await inspection.store.note({ ...file, key: 'images/1', problem: 'damaged' }, Date.now())
    await page.reload()
    const alert = page.getByRole('alert', { name: 'Stored files are missing or damaged' })
    await alert.getByText('The PDF is missing.').waitFor()
    await alert.getByText('1 page image is missing or damaged.').waitFor()
    await alert.getByText('admin storage repair', { exact: true }).waitFor()
    await assertSound(page)
  })

  test('gets another title and address, and its former address redirects', async () => {
    const { apiKey } = await makeWorkspace(dashboard, 'Renamed')
    const { id } = await publishTo(dashboard, apiKey, 'Draft', outlined())
    await publishTo(dashboard, apiKey, 'Taken')
    await dashboard.go(page, dashboard.at(`/publications/${id}`))
    const slug = page.getByLabel('URL slug')

    await slug.fill('Not Like This')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Use lowercase letters and digits').waitFor()
    await slug.fill('taken')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Another publication uses, or has used, this slug').waitFor()
    await assertSound(page)
    await page.getByRole('textbox', { name: 'Title' }).fill('Final')
    await slug.fill('final')
    await page.getByRole('button', { name: 'Save' }).click()

    await page.getByRole('heading', { name: 'Final', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'draft', exact: true }).waitFor()
    assert.equal((await fetch(`${url}/p/draft`)).url, `${url}/p/final`)
  })

  test('gets an author and a language of its own, and those of its file only when they are chosen', async () => {
    const public_url = `${url}/p/final`
    const author = page.getByRole('textbox', { name: 'Author' })
    assert.equal(await author.inputValue(), '')
    assert.doesNotMatch(await (await fetch(public_url)).text(), /Müller/)
    await page.getByRole('button', { name: 'Use for Author: Müller' }).click()
    await becomes(() => author.inputValue(), 'Müller')

    await author.fill('Ada Lovelace')
    await page.getByRole('textbox', { name: 'Language' }).fill('German')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Use a language tag').waitFor()
    await page.getByRole('textbox', { name: 'Language' }).fill('de')
    await page.getByRole('checkbox', { name: 'Recognise the text of scanned pages' }).uncheck()
    await page.getByRole('button', { name: 'Save' }).click()

    await becomes(async () => await (await fetch(public_url)).text(), /Ada Lovelace/)
    await page.reload()
    await becomes(() => page.getByRole('checkbox', { name: 'Recognise the text' }).isChecked(), false)
  })

  test('is read by whoever has its password, its address, or nobody, as its settings say', async (t) => {
    const { path, apiKey } = await makeWorkspace(dashboard, 'Circles')
    const { id, slug, public_url } = await publishTo(dashboard, apiKey, 'For a circle', numberedPages(3))
    await dashboard.go(page, dashboard.at(`/publications/${id}`))
    const save = () => page.getByRole('button', { name: 'Apply' }).click()

    await page.getByLabel('Password (optional)').fill('short')
    await save()
    await page.getByText('Use at least 8 characters').waitFor()
    await page.getByLabel('Password (optional)').fill('a quiet lake')
    await save()
    await page.getByText('has the address and the password').waitFor()
    await assertSound(page)
    const reader = await dashboard.visit(t, { viewport: { width: 390, height: 844 } })
    await reader.goto(public_url)
    await reader.getByLabel('Password').fill('a loud lake')
    await reader.getByRole('button', { name: 'Open' }).click()
    await reader.getByRole('alert').waitFor()
    await assertSound(reader)
    await reader.getByLabel('Password').fill('a quiet lake')
    await reader.getByRole('button', { name: 'Open' }).click()
    await reader.getByRole('toolbar').waitFor()
    assert.match(reader.url(), new RegExp(`^${public_url}(#.*)?$`))
    await reader.locator('#page-1 img').first().waitFor()

    await page.getByLabel('Remove the password').check()
    await save()
    await page.getByText('Everyone can read it').waitFor()
    await assertStatus(public_url, 200)

    const isListed = async () => (await (await fetch(`${url}/sitemap.xml`)).text()).includes(`/p/${slug}<`)
    assert.equal(await isListed(), true)

    const apply = async (access: string) => {
      await page.getByRole('radio', { name: access }).check()
      await save()
      await page.locator('.mantine-Badge-root', { hasText: access }).waitFor()
    }
    await apply('Unlisted')
    await page.getByText('It is listed nowhere').waitFor()
    assert.deepEqual([await isListed(), (await fetch(public_url)).status], [false, 200])
    await apply('Restricted')
    await page.getByText('there is no reader link').waitFor()
    assert.equal((await fetch(public_url)).status, 404)
    await assertSound(page)

    await page.getByRole('checkbox', { name: 'Readers can download the PDF' }).click()
    await apply('Unlisted')
    await page.getByText('The PDF cannot be downloaded').waitFor()
    for (;;) if ((await fetch(`${url}/publications/${slug}/pdf`)).status === 403) break
    await reader.setViewportSize({ width: 1280, height: 900 })
    await reader.reload()
    await reader.getByRole('toolbar').waitFor()
    assert.equal(await reader.getByRole('link', { name: 'Download PDF' }).count(), 0)
    await apply('Restricted')

    await page.getByText('Readers find nothing at these addresses').waitFor()
    await dashboard.go(page, dashboard.at(`${path}?state=restricted`))
    await page.getByRole('link', { name: 'For a circle' }).waitFor()
    await page.getByLabel('Status').selectOption('public')
    await page.getByRole('heading', { name: 'No matching publications' }).waitFor()
  })

  test('is read from one time to another, as its settings say', async () => {
    const { path, apiKey } = await makeWorkspace(dashboard, 'Seasons')
    const { id, public_url } = await publishTo(dashboard, apiKey, 'For a season')
    await dashboard.go(page, dashboard.at(`/publications/${id}`))
    const [from, until] = [page.getByLabel('From (optional)'), page.getByLabel('Until')]
    const apply = () => page.getByRole('button', { name: 'Apply' }).click()

    await from.fill('2999-05-03T08:00')
    await until.fill('2999-05-03T08:00')
    await apply()
    await page.getByText('The end must be after the beginning').waitFor()
    assert.equal((await fetch(public_url)).status, 200)
    await until.fill('2999-06-03T08:00')
    await apply()
    await page.getByText('Readers find nothing at its address before').first().waitFor()
    await page.getByText('It ends on').waitFor()
    await assertStatus(public_url, 404)

    await from.fill('2020-05-03T08:00')
    await until.fill('2020-06-03T08:00')
    await apply()
    await page.locator('.mantine-Badge-root', { hasText: 'Ended' }).waitFor()
    await assertStatus(public_url, 410)
    await dashboard.go(page, dashboard.at(`${path}?state=expired`))
    await page.getByRole('link', { name: 'For a season' }).waitFor()
  })

  test('is read by whoever has a link, until that is revoked', async (t) => {
    const { apiKey } = await makeWorkspace(dashboard, 'Lent')
    const { id, slug, public_url } = await publishTo(dashboard, apiKey, 'On loan', numberedPages(3))
    const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ access: 'restricted' })
    await fetch(`${url}/publications/${slug}`, { method: 'PATCH', headers, body })
    await dashboard.go(page, dashboard.at(`/publications/${id}`))
    await page.getByText('no reader can open it').waitFor()
    await page.getByRole('textbox', { name: 'For whom' }).fill('The board')
    await page.getByRole('button', { name: 'Create link' }).click()
    const link = await page.getByRole('link', { name: 'Open' }).getAttribute('href')
    await assertSound(page)

    const reader = await dashboard.visit(t, {
      viewport: { width: 390, height: 844 },
      userAgent: 'Mozilla/5.0 (Android 16; Mobile) Chrome/140.0',
    })
    await reader.goto(link!)
    await reader.getByRole('toolbar').waitFor()
    assert.match(reader.url(), new RegExp(`^${public_url}(#.*)?$`))
    await reader.locator('#page-1 img').first().waitFor()
    await dashboard.service.server.publications!.deps.figureCounter.store()
    await page.reload()
    await page.getByText(/1 view · 1 reader .*last opened/).waitFor()
    await page.getByRole('button', { name: 'Edit: The board' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('For whom').fill('The committee')
    await dialog.getByLabel('Ends (empty for never)').fill('2090-05-03T10:00')
    await dialog.getByLabel('Password (optional)').fill('short')
    await dialog.getByLabel('PDF').selectOption('no')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('at least 8').waitFor()
    await assertSound(page)
    await dialog.getByLabel('Password (optional)').fill('a quiet lake')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/With a password · Without the PDF · Ends .*2090/).waitFor()
    await reader.goto(public_url)
    await reader.getByRole('textbox', { name: 'Password' }).waitFor()
    await page.getByRole('button', { name: 'Revoke: The committee' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Link revoked').waitFor()

    const gone = await reader.goto(public_url)
    assert.equal(gone?.status(), 404)
  })

  test('is uploaded as a draft, with the title that the file states', async () => {
    const { path } = await makeWorkspace(dashboard, 'Drafts')
    await dashboard.go(page, dashboard.at(path))

    await page.getByRole('checkbox', { name: 'As drafts' }).check()
    await choose(page, 'Upload files', [pdfFile('scan_7.pdf', outlined())])
    await page.getByText('Saved as a draft', { exact: true }).waitFor()

    await page.getByRole('list', { name: 'Library' }).getByRole('link', { name: 'Ein Titel' }).waitFor()
    await assertStatus(`${url}/p/ein-titel`, 404)
    await page.getByText('1 file saved as a draft').waitFor()
    await page.reload()
    assert.equal(await page.getByRole('checkbox', { name: 'As drafts' }).isChecked(), true)
    await page.getByRole('list', { name: 'Library' }).getByRole('link', { name: 'Ein Titel' }).click()
    await page.getByText('It has not been published yet').waitFor()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('Ein Titel is published').waitFor()
    await assertStatus(`${url}/p/ein-titel`, 200)
  })

  test('gets another file', async () => {
    const { apiKey } = await makeWorkspace(dashboard, 'Replaced')
    const { id } = await publishTo(dashboard, apiKey, 'Revised', numberedPages(1))
    await dashboard.go(page, dashboard.at(`/publications/${id}`))

    await choose(page, 'Choose new file', [pdfFile('locked.pdf', encrypted())])
    await page.getByText('password-protected').waitFor()
    await choose(page, 'Choose new file', [pdfFile('second edition.pdf', numberedPages(5))])

    const question = page.getByRole('group', { name: 'Replace the file with second edition.pdf?' })
    await question.getByText('1 page → 5 pages').waitFor()
    await question.getByRole('button', { name: 'Replace' }).click()
    await page.getByText('Published', { exact: true }).waitFor()
    const versions = page.getByRole('list', { name: 'Versions' })
    await versions.getByText('4 pages are new: 2, 3, 4, 5').waitFor()
    await assertSound(page)
    await versions.getByRole('button', { name: 'Go back to version 1' }).click()
    await page.getByText('Version 1 is the current one again').waitFor()
    await versions.getByText('4 pages are gone: 2, 3, 4, 5').waitFor()
    await versions.getByRole('button', { name: 'Delete version 2' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Version 2 deleted').waitFor()
    await choose(page, 'Choose new file', [pdfFile('first edition.pdf', numberedPages(1))])
    await page.getByText('the very same file as version 3').waitFor()
    await page.getByRole('button', { name: 'Keep the current file' }).click()
    await page.getByRole('button', { name: 'Choose new file' }).waitFor()
  })

  test('is unpublished, published again, and deleted after its title has been typed', async () => {
    const { apiKey } = await makeWorkspace(dashboard, 'Withdrawn')
    const { id, public_url } = await publishTo(dashboard, apiKey, 'Embargoed')
    await dashboard.go(page, dashboard.at(`/publications/${id}`))

    await page.getByRole('button', { name: 'Unpublish…' }).click()
    await page.getByRole('dialog').getByText('Nothing is deleted').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Unpublish' }).click()
    await page.getByText('Embargoed is no longer public').waitFor()
    await page.getByText('Unpublished since').waitFor()
    await assertSound(page)
    await assertStatus(public_url, 410)
    await page.getByRole('button', { name: 'Publish again' }).click()

    await page.getByText('Embargoed is public again').waitFor()
    await assertStatus(public_url, 200)

    await page.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Delete publication' }).and(page.locator(':disabled')).waitFor()
    await dialog.getByLabel('Type the title').fill('Embargoed')
    await dialog.getByRole('button', { name: 'Delete publication' }).click()

    await page.getByText('Deleted Embargoed').waitFor()
    await page.getByRole('heading', { name: 'No publications yet' }).waitFor()
    assert.ok((await fetch(public_url)).status >= 400)
  })

  test('shows reading figures as charts and as tables', async (t) => {
    const { apiKey } = await makeWorkspace(dashboard, 'Read')
    const { id } = await publishTo(dashboard, apiKey, 'Popular', numberedPages(3))
    const page = await dashboard.visitSignedIn(t)
    // As Chromium says on a Linux without a locale.
    await page.addInitScript("Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix' })")
    await dashboard.go(page, dashboard.at(`/publications/${id}/readers`))
    await page.getByRole('heading', { name: 'No readers in this period' }).waitFor()
    const row = { publication_id: id, day: new Date().toISOString().slice(0, 10), page: 0 }
    const figures = [
      { ...row, kind: 'views' as const, amount: 41 },
      { ...row, kind: 'readers' as const, amount: 33 },
      { ...row, kind: 'page' as const, page: 2, amount: 17 },
      { ...row, kind: 'from news.example' as const, amount: 12 },
    ]
    await dashboard.service.server.publications!.deps.figures.add({ figures, readers: [] })

    await page.reload()

    await page.getByRole('img', { name: 'By day' }).waitFor()
    await page.getByRole('region', { name: 'By day' }).getByRole('radio', { name: 'Table' }).press('Space')
    await page.getByRole('row', { name: /41 33/ }).waitFor()
    const pages = page.getByRole('region', { name: 'By page' }).first()
    await pages.getByRole('radio', { name: 'Table' }).press('Space')
    await page.getByRole('row', { name: '2 17' }).waitFor()
    await page.getByRole('row', { name: 'news.example 12' }).waitFor()
    assert.match((await page.getByRole('link', { name: 'Export' }).getAttribute('href'))!, /format=csv/)
    await assertSound(page)
    await page.getByRole('radio', { name: '7 days' }).press('Space')
    await page.waitForURL(/days=7/)
  })

  test('is accessible in the dark scheme, on a narrow screen and in French', async (t) => {
    const { path, apiKey } = await makeWorkspace(dashboard, 'Everywhere')
    const { id } = await publishTo(dashboard, apiKey, 'Partout', numberedPages(2))
    const viewport = { width: 380, height: 780 }
    const page = await dashboard.visitSignedIn(t, { colorScheme: 'dark', viewport, locale: 'fr-FR' })

    for (const [address, words] of [
      [path, 'Importer'],
      [`/publications/${id}`, 'Remplacer le fichier'],
      [`/publications/${id}/readers`, 'Aucun lecteur sur cette période'],
      [`${path}/programs`, 'Remplacer la clé'],
    ]) {
      await dashboard.go(page, dashboard.at(address))
      await page.getByText(words).first().waitFor()
      await assertSound(page)
      const isWider = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
      assert.equal(isWider, false, address)
    }
  })
})
