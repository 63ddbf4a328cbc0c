import type texts from '../../locales/en/administration.json'
import { createAreaTexts } from '../i18n/i18n.ts'

/** Texts of the pages for owners, in every language: loaded with these pages, because others have no use for them. */
export const useAdministrationTexts = createAreaTexts<typeof texts>(
  'administration',
  import.meta.glob<typeof texts>('../../locales/*/administration.json', { eager: true, import: 'default' }),
)
