import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Laptop } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { endSession, type OperatorSession, sessionsQuery } from '../../api/operators.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { Ago } from '../../components/ago.tsx'
import { Loaded } from '../../feedback/loaded.tsx'
import { notify, useNotifyError } from '../../feedback/notify.ts'
import { useFormat } from '../../i18n/format.ts'
import { browserName } from './browser-name.ts'

/** The operator's sessions. All except the current one can be ended. */
export function SessionList() {
  const { t } = useTranslation()
  const sessions = useQuery(sessionsQuery)
  return (
    <Paper withBorder p="lg" bg="var(--panel-background)">
      <Title order={2} mb="xs">
        {t('sessions.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('sessions.explanation')}
      </Text>
      <Loaded query={sessions}>
        {(list) => (
          <Stack component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
            {list.map((session) => (
              <SessionEntry key={session.id} session={session} />
            ))}
          </Stack>
        )}
      </Loaded>
    </Paper>
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
    <Group component="li" justify="space-between" wrap="nowrap">
      <Group gap="sm" wrap="nowrap">
        <Laptop size={20} aria-hidden style={{ flexShrink: 0 }} />
        <div>
          <Group gap="xs">
            <Text fw={500}>{name}</Text>
            {session.is_current && (
              <Badge variant="filled" color="teal.9">
                {t('sessions.current')}
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed" component="div">
            {t('sessions.lastSeen')} <Ago time={session.last_seen_at} />{' '}
            {t('sessions.from', { address: session.address })}
            {' · '}
            {t('sessions.expires', { time: format.date(session.expires_at) })}
          </Text>
        </div>
      </Group>
      {!session.is_current && (
        <Button
          size="xs"
          variant="default"
          flex="none"
          loading={ending.isPending}
          onClick={() => ending.mutate()}
          aria-label={t('sessions.endThis', { name })}
        >
          {t('sessions.end')}
        </Button>
      )}
    </Group>
  )
}
