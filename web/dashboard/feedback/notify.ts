import { notifications } from '@mantine/notifications'
import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { errorMessage } from './error-message.ts'

/** Shows a notification that something was done. */
export function notify(message: string): void {
  notifications.show({ message, color: 'teal', role: 'status', closeButtonProps: closeButton() })
}

/** Returns a function that shows a failure as a notification, for actions without a form to show it in. */
export function useNotifyError(): (error: unknown) => void {
  const { t } = useTranslation()
  return (error) => {
    const { key, values } = errorMessage(error)
    notifications.show({
      message: t(key, values ?? {}),
      color: 'red',
      role: 'alert',
      autoClose: 8000,
      closeButtonProps: closeButton(),
    })
  }
}

function closeButton() {
  return { 'aria-label': i18next.t('action.close') }
}
