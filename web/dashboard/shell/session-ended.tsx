import { Modal, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { queryKeys } from '../api/query-keys.ts'
import type { Session } from '../api/session.ts'
import { SignInForm } from '../sign-in/sign-in-form.tsx'

/** Over every other dialog: what one was doing there is kept. */
const ON_TOP = 1000

/** Asks to sign in again when a session ends while somebody works. The page below keeps what was entered. */
export function SessionEnded({ session }: { session: Session }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const resume = (resumed: Session) => {
    client.setQueryData(queryKeys.session, resumed)
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== queryKeys.session[0] })
  }
  return (
    <Modal
      opened
      onClose={() => {}}
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
      centered
      zIndex={ON_TOP}
      overlayProps={{ backgroundOpacity: 0.6, blur: 12 }}
      title={t('session.endedTitle')}
    >
      <SignInForm name={session.operator.name} onSignedIn={resume}>
        <Text>{t('session.endedHelp')}</Text>
      </SignInForm>
    </Modal>
  )
}
