import type { KeyOf, Translate } from '#platform/basics/translate.ts'
import { readPageTexts } from '#platform/pages/page-texts.ts'
import english from './interface-texts.en.json' with { type: 'json' }

type Key = KeyOf<typeof english>

/** Returns a text of the public pages' interface. */
export type InterfaceTranslate = Translate<Key>

const TEXTS = readPageTexts<Key>(new URL('interface-texts.en.json', import.meta.url))

/** Returns the texts of a language, which is one of the interface. */
export const interfaceTexts = TEXTS.of

/** Returns the language of the interface by `Accept-Language`; English if none is accepted. Documents may be in any. */
export const interfaceLanguage = (acceptLanguage: string | undefined) => TEXTS.languageFor(acceptLanguage)

/** Says why a document or one of its pages could not be prepared, by the code of the failure. */
export function failureText(t: InterfaceTranslate, code: string | undefined): string {
  const key = `failures.${code}`
  return t(key in english ? (key as Key) : 'failures.other')
}

/** Says how many pages of a document that is being prepared can be seen. */
export function progressText(t: InterfaceTranslate, ready: number, pageCount: number): string {
  return pageCount === 1 ? t('progressOfOne', { count: ready }) : t('progress', { count: ready, total: pageCount })
}
