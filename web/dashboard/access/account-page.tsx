import { Badge, Paper, PasswordInput, SimpleGrid, Text, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Laptop } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { MIN_PASSWORD_LENGTH } from '../../../src/operator/model/sign-in-rules.ts'
import { PageTitle } from '../../ui/titles.tsx'
import { hasStatus } from '../api/api-error.ts'
import { sessionQuery } from '../api/session.ts'
import { Ago } from '../components/ago.tsx'
import { fieldErrors } from '../components/error-message.ts'
import { FormAlert, Loaded, notify, useAction } from '../components/feedback.tsx'
import { ResourceForm } from '../components/forms.tsx'
import { RowButton } from '../components/lists.tsx'
import { Panel } from '../components/panel.tsx'
import {
  getConfirmationMethodsOptions,
  listSessionsOptions,
  listSessionsQueryKey,
} from '../generated/@tanstack/react-query.gen.ts'
import { changePassword, endSession } from '../generated/sdk.gen.ts'
import type { SessionEntry } from '../generated/types.gen.ts'
import type { Key } from '../i18n/en.ts'
import { useFormat } from '../i18n/format.ts'
import { AccountList, AccountRow } from './account-panel.tsx'
import { browserName } from './browser-name.ts'
import { PasskeysPanel } from './passkeys-panel.tsx'
import { useRightsWords } from './rights.tsx'
import { SecurityPanel } from './security-panel.tsx'
import { UsernameInput } from './sign-in-form.tsx'

/** The signed-in operator's role, password, second factors and sessions. */
export function AccountPage() {
  const { t } = useTranslation()
  const session = useQuery(sessionQuery)
  const methods = useQuery(getConfirmationMethodsOptions())
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
              <Panel title={t('account.signIn')} help={t('account.atProvider')} />
            )}
            <SessionList isAtProvider={!may_have_credentials} />
          </SimpleGrid>
        )}
      </Loaded>
    </>
  )
}

const FIELDS: { name: 'current' | 'password' | 'again'; key: Key; autoComplete: string }[] = [
  { name: 'current', key: 'password.current', autoComplete: 'current-password' },
  { name: 'password', key: 'password.new', autoComplete: 'new-password' },
  { name: 'again', key: 'password.again', autoComplete: 'new-password' },
]

/** Changes the signed-in operator's password. */
function PasswordChange({ name }: { name: string }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { current: '', password: '', again: '' },
    validate: {
      current: (current) => (current === '' ? t('password.currentMissing') : null),
      password: (password) =>
        [...password].length < MIN_PASSWORD_LENGTH ? t('password.tooShort', { count: MIN_PASSWORD_LENGTH }) : null,
      again: (again, { password }) => (again === password ? null : t('password.different')),
    },
  })
  const describe = (error: unknown) => {
    if (hasStatus(error, 403)) return <FormAlert>{t('password.currentWrong')}</FormAlert>
    return 'password' in fieldErrors(error) ? <FormAlert>{t('password.weak')}</FormAlert> : undefined
  }
  return (
    <Paper withBorder p="lg" bg="var(--panel-background)">
      <ResourceForm
        form={form}
        save={({ current, password }) => changePassword({ body: { current_password: current, password } })}
        onSaved={async () => {
          form.reset()
          notify(t('password.changed'))
          await client.invalidateQueries({ queryKey: listSessionsQueryKey() })
        }}
        onFailed={(error) => form.getInputNode(hasStatus(error, 403) ? 'current' : 'password')?.focus()}
        submitLabel={t('password.changeSubmit')}
        describe={describe}
      >
        <Title order={2}>{t('password.changeTitle')}</Title>
        <UsernameInput name={name} />
        {FIELDS.map(({ name: field, key, autoComplete }) => (
          <PasswordInput
            label={t(key)}
            description={field === 'password' ? t('password.rule', { count: MIN_PASSWORD_LENGTH }) : undefined}
            autoComplete={autoComplete}
            visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
            key={form.key(field)}
            {...form.getInputProps(field)}
          />
        ))}
      </ResourceForm>
    </Paper>
  )
}

/** The operator's sessions. All except the current one can be ended. */
function SessionList({ isAtProvider }: { isAtProvider: boolean }) {
  const { t } = useTranslation()
  const sessions = useQuery({ ...listSessionsOptions(), select: ({ sessions }) => sessions })
  return (
    <Panel
      title={t('sessions.title')}
      help={t(isAtProvider ? 'sessions.explanationAtProvider' : 'sessions.explanation')}
    >
      <Loaded query={sessions}>
        {(list) => (
          <AccountList>
            {list.map((session) => (
              <SessionItem key={session.id} session={session} />
            ))}
          </AccountList>
        )}
      </Loaded>
    </Panel>
  )
}

function SessionItem({ session }: { session: SessionEntry }) {
  const { t } = useTranslation()
  const format = useFormat()
  const name = browserName(session.user_agent) ?? t('sessions.unknown')
  const ending = useAction({
    action: () => endSession({ path: { id: session.id } }),
    doneMessage: t('sessions.ended'),
    changes: [{ queryKey: listSessionsQueryKey() }],
    notifiesFailure: true,
  })
  return (
    <AccountRow
      icon={Laptop}
      name={name}
      badge={
        session.is_current && (
          <Badge variant="filled" color="teal.9">
            {t('sessions.current')}
          </Badge>
        )
      }
      help={
        <>
          {t('sessions.lastSeen')} <Ago time={session.last_seen_at} />{' '}
          {t('sessions.from', { address: session.address })}
          {' · '}
          {t('sessions.expires', { time: format.date(session.expires_at) })}
        </>
      }
    >
      {!session.is_current && (
        <RowButton
          loading={ending.isPending}
          onClick={() => ending.mutate()}
          aria-label={t('sessions.endThis', { name })}
        >
          {t('sessions.end')}
        </RowButton>
      )}
    </AccountRow>
  )
}
