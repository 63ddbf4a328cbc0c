import { SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../../ui/page-title.tsx'
import { useRightsWords } from '../../access/rights-words.ts'
import { AccountPanel } from '../../account/account-panel.tsx'
import { PasskeysPanel } from '../../account/passkeys-panel.tsx'
import { SecurityPanel } from '../../account/security-panel.tsx'
import { confirmationMethodsQuery, sessionQuery } from '../../api/session.ts'
import { Loaded } from '../../feedback/loaded.tsx'
import { PasswordChange } from './password-change.tsx'
import { SessionList } from './session-list.tsx'

/** The signed-in operator's role, password, second factors and sessions. */
export function AccountPage() {
  const { t } = useTranslation()
  const session = useQuery(sessionQuery)
  const methods = useQuery(confirmationMethodsQuery)
  const rightsWords = useRightsWords()
  return (
    <>
      <div>
        <PageTitle title={t('account.title')} />
        {session.data && <Text c="dimmed">{t('account.role', { role: rightsWords(session.data.operator) })}</Text>}
      </div>
      <Loaded query={methods}>
        {({ has_password, may_have_credentials }) => (
          <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: 'start' }}>
            {session.data && has_password && <PasswordChange name={session.data.operator.name} />}
            {may_have_credentials ? (
              <>
                <SecurityPanel />
                <PasskeysPanel />
              </>
            ) : (
              <AccountPanel title={t('account.signIn')} explanation={t('account.atProvider')} />
            )}
            <SessionList isAtProvider={!may_have_credentials} />
          </SimpleGrid>
        )}
      </Loaded>
    </>
  )
}
