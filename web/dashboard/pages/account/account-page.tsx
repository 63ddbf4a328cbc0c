import { SimpleGrid } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../../ui/page-title.tsx'
import { PasswordChange } from './password-change.tsx'
import { SessionList } from './session-list.tsx'

/** The signed-in operator's password and sessions. */
export function AccountPage() {
  const { t } = useTranslation()
  return (
    <>
      <PageTitle title={t('account.title')} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: 'start' }}>
        <PasswordChange />
        <SessionList />
      </SimpleGrid>
    </>
  )
}
