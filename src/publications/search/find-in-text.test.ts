import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { countHits, findHits, foldForSearch, foldLetters, searchTexts, snippetOf } from './find-in-text.ts'

const found = (text: string, query: string) =>
  findHits(text, foldForSearch(text), foldForSearch(query), 100).map(({ from, to }) => text.slice(from, to))

describe('searching in a text', () => {
  test('finds words whatever their case, accents, ligatures and apostrophes', () => {
    assert.deepEqual(found('Été comme ÉTÉ', 'ete'), ['Été', 'ÉTÉ'])
    assert.deepEqual(found('E\u0301te\u0301', 'été'), ['E\u0301te\u0301'])
    assert.deepEqual(found('An oﬃce of ﬁlms', 'office of film'), ['oﬃce of ﬁlm'])
    assert.deepEqual(found('l’été', "L'ETE"), ['l’été'])
    assert.deepEqual(found('Straße', 'strasse'), [])
  })

  test('finds words that stand on different lines', () => {
    assert.deepEqual(found('the end of\n\n  the line', 'of the'), ['of\n\n  the'])
  })

  test('finds nothing for nothing, and what overlaps once', () => {
    assert.deepEqual(found('text', '  '), [])
    assert.deepEqual(found('aaaaa', 'aa'), ['aa', 'aa'])
    assert.equal(countHits('aaaaa', 'aa'), 2)
    assert.equal(countHits('text', ''), 0)
  })

  test('finds as many hits in a text as in what it is folded to', () => {
    const letters = fc.string({
      unit: fc.constantFrom(
        'a',
        'É',
        'e',
        '\u0301',
        ' ',
        '\n',
        'ﬁ',
        '𝒜',
        '’',
        '\u00ad',
        'Σ',
        '¨',
        '\ufdfa',
        '\u1100\u1161',
      ),
    })
    fc.assert(
      fc.property(letters, fc.integer({ min: 1, max: 300 }), letters, (part, times, query) => {
        const text = part.repeat(times)
        const folded = foldForSearch(query)
        const hits = findHits(text, foldForSearch(text), folded, Number.POSITIVE_INFINITY)
        assert.equal(hits.length, countHits(foldForSearch(text), folded))
        for (const { from, to } of hits) assert.equal(foldForSearch(text.slice(from, to)), folded)
      }),
    )
  })

  test('shows a hit with what stands around it, cut between words', () => {
    const text = `${'before '.repeat(20)}the\nhit ${'after '.repeat(30)}`
    const [hit] = findHits(text, foldForSearch(text), 'the hit', 1)

    const snippet = snippetOf(text, hit)

    assert.equal(snippet.text.slice(snippet.from, snippet.to), 'the hit')
    assert.match(snippet.text, /^(before )+the hit( after)+$/)
    assert.ok(snippet.text.length < 130)
  })
})

describe('foldLetters', () => {
  test('removes case, accents and soft hyphens, and makes ligatures and quotation marks plain', () => {
    assert.equal(foldLetters('\u00c9te\u0301 \ufb01\u00adn \u2019\u201cA\u201d'), 'ete fin \'"a"')
  })

  test('folds every character as its normalised form', () => {
    for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
      if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue
      const character = String.fromCodePoint(codePoint)

      assert.equal(foldLetters(character), foldLetters(character.normalize('NFKD')), codePoint.toString(16))
    }
  })

  test('folds the longest text of a page, if it consists of accents', () => {
    assert.equal(foldLetters(`a${'\u0316\u0301'.repeat(100_000)}`), 'a')
  })
})

describe('searchTexts', () => {
  const texts = ['A cat and a cat', 'A dog', `${'cat '.repeat(300)}`].map((text, at) => ({
    page: at + 1,
    text,
    folded: text.toLowerCase().trim(),
  }))

  test('returns the hits of each page, with snippets of the first ones', () => {
    const { hits, pages, snippets } = searchTexts(texts, 'cat', 1, 200)

    assert.equal(hits, 302)
    assert.deepEqual(pages, [
      { page: 1, hits: 2 },
      { page: 3, hits: 300 },
    ])
    assert.deepEqual(snippets[0], { page: 1, text: 'A cat and a cat', from: 2, to: 5 })
    assert.equal(snippets.filter(({ page }) => page === 3).length, 3)
  })

  test('returns snippets from a given page on', () => {
    const { hits, snippets } = searchTexts(texts, 'cat', 2, 200)

    assert.equal(hits, 302)
    assert.deepEqual([...new Set(snippets.map(({ page }) => page))], [3])
  })

  test('returns no more snippets than there is room for', () => {
    assert.equal(searchTexts(texts, 'cat', 1, 4).snippets.length, 4)
    assert.equal(searchTexts(texts, 'cat', 1, 0).snippets.length, 0)
  })
})
