import { useTranslation } from 'react-i18next'

/** The words of a dialog that asks before something is gone. */
export function useDialogWords(confirm: string) {
  const { t } = useTranslation()
  return { confirm, cancel: t('action.cancel'), close: t('action.close'), type: t('action.typeName') }
}
