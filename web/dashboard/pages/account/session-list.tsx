import { Badge, Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Laptop } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { AccountList, AccountPanel, AccountRow } from '../../account/account-panel.tsx'
import { endSession, type OperatorSession, sessionsQuery } from '../../api/operators.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { Ago } from '../../components/ago.tsx'
import { Loaded } from '../../feedback/loaded.tsx'
import { notify, useNotifyError } from '../../feedback/notify.ts'
import { useFormat } from '../../i18n/format.ts'
import { browserName } from './browser-name.ts'

/** The operator's sessions. All except the current one can be ended. */
export function SessionList({ isAtProvider }: { isAtProvider: boolean }) {
  const { t } = useTranslation()
  const sessions = useQuery(sessionsQuery)
  return (
    <AccountPanel
      title={t('sessions.title')}
      explanation={t(isAtProvider ? 'sessions.explanationAtProvider' : 'sessions.explanation')}
    >
      <Loaded query={sessions}>
        {(list) => (
          <AccountList>
            {list.map((session) => (
              <SessionEntry key={session.id} session={session} />
            ))}
          </AccountList>
        )}
      </Loaded>
    </AccountPanel>
  )
}

function SessionEntry({ session }: { session: OperatorSession }) {
  const { t } = useTranslation()
  const format = useFormat()
  const client = useQueryClient()
  const notifyError = useNotifyError()
  const name = browserName(session.user_agent) ?? t('sessions.unknown')
  const ending = useMutation({
    mutationFn: () => endSession(session.id),
    onError: notifyError,
    onSuccess: async () => {
      notify(t('sessions.ended'))
      await client.invalidateQueries({ queryKey: queryKeys.sessions })
    },
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
        <Button
          size="xs"
          variant="default"
          loading={ending.isPending}
          onClick={() => ending.mutate()}
          aria-label={t('sessions.endThis', { name })}
        >
          {t('sessions.end')}
        </Button>
      )}
    </AccountRow>
  )
}
