import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { NO_ANSWER_REASONS, noAnswerText } from '../src/platform/webhooks/no-answer.ts'
import generatedTitles from '../src/tracks/model/generated-titles.json' with { type: 'json' }
import { en } from '../web/dashboard/i18n/en.ts'

type Texts = Record<string, string>

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Texts of the pages that are no part of the dashboard's own. */
const LOADED_ALONE = /\/(administration|reader)\.json$/
const PLURAL_FORM = /_(zero|one|two|few|many|other)$/

/** Texts by language, of each catalogue: its files have the language in place of the star. */
const catalogues = readCatalogues()
const languages = [...new Set(Object.values(catalogues).flatMap((byLanguage) => Object.keys(byLanguage)))]
const everyText = Object.entries(catalogues).flatMap(([file, byLanguage]) =>
  Object.entries(byLanguage).flatMap(([language, texts]) =>
    Object.entries(texts).map(([key, text]) => ({ language, where: `${file} ${key}`, text })),
  ),
)

describe('texts', () => {
  test('are there for every part, in English and in other languages', () => {
    for (const part of ['web/locales/*/shell.json', 'web/locales/*/reader.json', 'src/tracks/', 'src/publications/']) {
      assert.ok(
        Object.keys(catalogues).some((file) => file.startsWith(part)),
        part,
      )
    }
    assert.ok(languages.includes('en'))
    assert.ok(languages.length > 1)
  })

  for (const [file, byLanguage] of Object.entries(catalogues)) {
    for (const language of languages) {
      const texts = byLanguage[language] ?? {}

      test(`of ${file} in ${language} have the keys of English, and a plural in every form of the language`, () => {
        assert.deepEqual(Object.keys(texts).sort(), keysIn(language, byLanguage.en))
      })

      test(`of ${file} in ${language} have the placeholders of English, but for the number of the singular`, () => {
        const different = Object.entries(texts).filter(
          ([key, text]) => !key.endsWith('_one') && placeholders(text) !== placeholders(inEnglish(byLanguage.en, key)),
        )

        assert.deepEqual(different, [])
      })
    }
  }

  test('of generated titles are there in every language but French, in which titles are generated', () => {
    const translated = [...Object.keys(generatedTitles), 'fr']

    assert.deepEqual(translated.sort(), languages.toSorted())
    for (const text of Object.values(generatedTitles)) assert.equal(placeholders(text), '{{day}},{{time}}')
  })

  test('of the dashboard have keys of their own, so that no area replaces the texts of another', () => {
    const keys = Object.entries(catalogues).flatMap(([file, byLanguage]) =>
      file.startsWith('web/') && !LOADED_ALONE.test(file) ? Object.keys(byLanguage.en) : [],
    )

    assert.deepEqual(keys.sort(), Object.keys(en).sort())
  })

  test('of reasons why a webhook got no answer say in English what its log says', () => {
    for (const reason of NO_ANSWER_REASONS) {
      assert.equal(en[`webhooks.noAnswer.${reason}`].replaceAll('’', "'"), noAnswerText(reason, '{{value}}'))
    }
  })

  test('of the live map of operators come with it', () => {
    const files = ['web/dashboard/live/*.ts*', 'web/dashboard/events/{first-steps,rehearsal}.tsx']
    const words = globSync(files, { cwd: ROOT }).flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(/'([a-z]\w{1,40}\.[\w.]{1,80})'/g)].map(([, word]) => word),
    )
    const later = Object.entries(catalogues)
      .filter(([file]) => /^web\/.*\/(?!events|live|race|shell|tracks|account|map)\w+\.json$/.test(file))
      .flatMap(([, { en }]) => Object.keys(en).map((key) => key.replace(PLURAL_FORM, '')))

    assert.deepEqual(new Set(words).intersection(new Set(later)), new Set())
  })

  test('have no straight apostrophes and no three dots, and are not empty', () => {
    assert.deepEqual(
      everyText.filter(({ text }) => /'|\.\.\.|^$/.test(text)),
      [],
    )
  })

  test('in French have spaces that do not break before punctuation (Lexique des règles typographiques)', () => {
    // Narrow before `;`, `!` and `?`, of full width before `:` and `%` and inside of quotation marks.
    const breakable = /[ \u00a0](?=[;!?])|[ \u202f](?=[:%»])|(?<=«)[ \u202f]/

    assert.deepEqual(
      everyText.filter(({ language, text }) => language === 'fr' && breakable.test(text)),
      [],
    )
  })

  test('in French have no "de" after a figure in digits: 1 000 000 traces', () => {
    assert.deepEqual(
      everyText.filter(({ language, text }) => language === 'fr' && /\{\{(figure|count)\}\} (de |d’)/.test(text)),
      [],
    )
  })
})

function readCatalogues(): Record<string, Record<string, Texts>> {
  const found: Record<string, Record<string, Texts>> = {}
  const files = globSync(['web/locales/*/*.json', 'src/**/*.*.json'], { cwd: ROOT })
  for (const file of files.map((path) => path.replaceAll('\\', '/')).sort()) {
    const [, start, language, end] = /^(web\/locales\/|src\/.*\.)([\w-]+)(\/[\w-]+\.json|\.json)$/.exec(file)!
    found[`${start}*${end}`] ??= {}
    found[`${start}*${end}`][language] = JSON.parse(readFileSync(join(ROOT, file), 'utf8'))
  }
  return found
}

/** Returns the keys that a catalogue with these English texts has in a language with its own plural forms. */
function keysIn(language: string, english: Texts): string[] {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
  return Object.keys(english)
    .flatMap((key) => {
      if (!key.endsWith('_other')) return PLURAL_FORM.test(key) ? [] : [key]
      return pluralCategories.map((category) => key.replace(PLURAL_FORM, `_${category}`))
    })
    .sort()
}

function inEnglish(english: Texts, key: string): string {
  return english[key] ?? english[key.replace(PLURAL_FORM, '_other')] ?? ''
}

function placeholders(text: string): string {
  return [...new Set(text.match(/\{\{\w+\}\}/g))].sort().join()
}
