import { Alert, Button, Group, Paper, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { FlaskConical, Play, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRights } from '../access/rights.tsx'
import { ConfirmDialog } from '../components/dialogs.tsx'
import { Loaded, useAction } from '../components/feedback.tsx'
import { ButtonLink } from '../components/links.tsx'
import { paths } from '../components/paths.ts'
import {
  operatorGetRaceOptions,
  operatorGetRehearsalOptions,
  operatorGetRehearsalQueryKey,
} from '../generated/@tanstack/react-query.gen.ts'
import { operatorCreateRehearsal, operatorDeleteRehearsal } from '../generated/sdk.gen.ts'
import type { OperatorEvent } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'

const REFRESH_MS = 2000

function rehearsalQuery(eventId: string) {
  return {
    ...operatorGetRehearsalOptions({ path: { id: eventId } }),
    refetchInterval: REFRESH_MS,
    select: ({ rehearsal }: { rehearsal: Rehearsal }) => rehearsal,
  }
}

type Rehearsal = { event_id: string; elapsed_sec: number; ended_at: string | null } | null

/** Offers a rehearsal of an event with one click, once it has a course and a start list, and the way to one. */
export function RehearsalPanel({ event }: { event: OperatorEvent }) {
  const { t } = useTranslation()
  const { canGovern } = useRights()
  const rehearsal = useQuery(rehearsalQuery(event.id))
  const race = useQuery(operatorGetRaceOptions({ path: { id: event.id } }))
  if (!canGovern) return null
  const isReady = race.data?.length_m != null && race.data.runners_count > 0
  return (
    <Paper withBorder p="lg" bg="var(--panel-background)" component="section" aria-labelledby="rehearsal">
      <Group justify="space-between" align="flex-start">
        <div style={{ flex: '1 1 320px' }}>
          <Title order={2} size="h3" id="rehearsal">
            {t('rehearsal.title')}
          </Title>
          <Text c="dimmed" maw={640}>
            {t('rehearsal.help')} {!isReady && t('rehearsal.needs')}
          </Text>
        </div>
        <Loaded query={rehearsal}>
          {(found) =>
            found === null ? <Begin event={event} isReady={isReady} /> : <Begun eventId={event.id} found={found} />
          }
        </Loaded>
      </Group>
    </Paper>
  )
}

function Begin({ event: { id, name }, isReady }: { event: OperatorEvent; isReady: boolean }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { mutate, isPending } = useAction({
    action: () => operatorCreateRehearsal({ path: { id }, body: { name: t('rehearsal.name', { name }) } }),
    changes: [{ queryKey: operatorGetRehearsalQueryKey({ path: { id } }) }],
    onDone: ({ event_id }) => navigate({ to: paths.event, params: { eventId: event_id } }),
    notifiesFailure: true,
  })
  return (
    <Button
      leftSection={<Play size={16} aria-hidden />}
      loading={isPending}
      disabled={!isReady}
      onClick={() => mutate()}
    >
      {t('rehearsal.begin')}
    </Button>
  )
}

function Begun({ eventId, found }: { eventId: string; found: NonNullable<Rehearsal> }) {
  const { t } = useTranslation()
  return (
    <Group gap="xs">
      <ButtonLink to={paths.event} params={{ eventId: found.event_id }}>
        {t(found.ended_at === null ? 'rehearsal.look' : 'rehearsal.lookAgain')}
      </ButtonLink>
      <Remove eventId={eventId} />
    </Group>
  )
}

/** Removes a rehearsal once that is confirmed: all of it is simulated, but nothing brings it back. */
function Remove({ eventId, size }: { eventId: string; size?: 'xs' }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button
        variant="default"
        size={size}
        leftSection={<Trash2 size={16} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {t('rehearsal.remove')}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('rehearsal.removeTitle')}
        confirmLabel={t('rehearsal.remove')}
        action={() => operatorDeleteRehearsal({ path: { id: eventId } })}
        doneMessage={t('rehearsal.removed')}
        changes={[{ queryKey: operatorGetRehearsalQueryKey({ path: { id: eventId } }) }]}
        onDone={() => navigate({ to: paths.event, params: { eventId } })}
      >
        {t('rehearsal.removeHelp')}
      </ConfirmDialog>
    </>
  )
}

/** Marks every page of a rehearsal as one, with its race time and the way back. */
export function RehearsalBanner({ rehearsedId }: { rehearsedId: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { canGovern } = useRights()
  const { data } = useQuery(rehearsalQuery(rehearsedId))
  const time = format.duration(data?.elapsed_sec ?? 0)
  return (
    <Alert color="grape" py={6} px="sm" icon={<FlaskConical aria-hidden />} className="rehearsal-banner">
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          <strong>{t('rehearsal.isOne')}</strong>{' '}
          {data == null || data.ended_at === null ? t('rehearsal.runs', { time }) : t('rehearsal.ended', { time })}
        </Text>
        <Group gap="xs">
          <ButtonLink size="xs" variant="default" to={paths.event} params={{ eventId: rehearsedId }}>
            {t('rehearsal.back')}
          </ButtonLink>
          {canGovern && <Remove eventId={rehearsedId} size="xs" />}
        </Group>
      </Group>
    </Alert>
  )
}
