import { SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../../ui/page-title.tsx'
import { sessionQuery } from '../../api/session.ts'
import { PasswordChange } from './password-change.tsx'
import { SessionList } from './session-list.tsx'

/** The signed-in operator's password and sessions. */
export function AccountPage() {
  const { t } = useTranslation()
  const session = useQuery(sessionQuery)
  return (
    <>
      <PageTitle title={t('account.title')} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: 'start' }}>
        {session.data && <PasswordChange name={session.data.operator.name} />}
        <SessionList />
      </SimpleGrid>
    </>
  )
}
