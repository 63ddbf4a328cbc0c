import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openBrowser } from '../support/open-browser.ts'

const hasOwnFonts = process.platform === 'linux' && process.arch === 'x64'

describe('the browser of the tests', { skip: hasOwnFonts ? false : 'an installed Chrome has other fonts' }, () => {
  test('draws all text with the fonts that come with it', async (t) => {
    const browser = await openBrowser(t)
    const page = await browser.newPage()
    t.after(() => page.close())
    await page.setContent('<h1 style="font-family: sans-serif">Events</h1><code>GET /tracks</code><p>日本</p>')

    const devtools = await page.context().newCDPSession(page)
    await devtools.send('DOM.enable')
    await devtools.send('CSS.enable')
    const { root } = await devtools.send('DOM.getDocument')
    const { nodeIds } = await devtools.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: 'h1, code, p' })
    const used = await Promise.all(nodeIds.map((nodeId) => devtools.send('CSS.getPlatformFontsForNode', { nodeId })))

    assert.deepEqual(
      used.map(({ fonts }) => fonts.map(({ familyName }) => familyName)),
      [['Open Sans'], ['Open Sans'], ['Open Sans']],
    )
  })
})
