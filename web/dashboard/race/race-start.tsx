import { Button, Group, Radio, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useContext, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { raceAnswers } from '../api/query-client.ts'
import { Failure, notify } from '../components/feedback.tsx'
import { UnsavedChanges } from '../components/forms.tsx'
import { operatorUpdateRace } from '../generated/sdk.gen.ts'
import type { Race } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { knownZone, momentOf, TimeZone, wallTimeOf } from '../i18n/time-zone.ts'

/** The start of the race: common to all at a time, or for each on crossing the start line. */
export function RaceStart({ eventId, race }: { eventId: string; race: Race }) {
  const { t } = useTranslation()
  const format = useFormat()
  const client = useQueryClient()
  const zone = knownZone(useContext(TimeZone))
  const { race_starts_at, time_basis } = race
  const [isCommon, setCommon] = useState(race_starts_at !== null)
  const stored = race_starts_at === null ? '' : wallTimeOf(Date.parse(race_starts_at), zone)
  const [time, setTime] = useState(stored)
  const [basis, setBasis] = useState(time_basis)
  const [isTried, setTried] = useState(false)
  const atMs = momentOf(time, zone)
  const isMissing = isCommon && Number.isNaN(atMs)
  const isChanged = () =>
    isCommon !== (race_starts_at !== null) || (isCommon && (atMs !== momentOf(stored, zone) || basis !== time_basis))
  const saving = useMutation({
    mutationFn: () =>
      operatorUpdateRace({
        path: { id: eventId },
        body: isCommon ? { race_starts_at: new Date(atMs).toISOString(), time_basis: basis } : { race_starts_at: null },
      }),
    onSuccess: async () => {
      notify(t('action.saved'))
      await client.invalidateQueries(raceAnswers(eventId))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!isMissing) saving.mutate()
  }
  return (
    <form onSubmit={submit} noValidate>
      <UnsavedChanges isChanged={isChanged} />
      <Stack gap="xs">
        <Title order={3} size="h4">
          {t('race.start')}
        </Title>
        <Radio.Group
          aria-label={t('race.start')}
          value={isCommon ? 'common' : 'own'}
          onChange={(value) => setCommon(value === 'common')}
        >
          <Stack gap={6}>
            <Radio value="common" label={t('race.startCommon')} description={t('race.startCommonHelp')} />
            <Radio value="own" label={t('race.startOwn')} description={t('race.startOwnHelp')} />
          </Stack>
        </Radio.Group>
        {isCommon && (
          <TextInput
            type="datetime-local"
            step={1}
            w={280}
            label={t('race.startTime')}
            description={t('event.timesIn', { zone: zone ?? format.zoneName(Date.now()) })}
            error={isTried && isMissing && t('race.startTimeMissing')}
            value={time}
            onChange={({ currentTarget }) => setTime(currentTarget.value)}
          />
        )}
        {isCommon && (
          <Radio.Group
            label={t('race.basis')}
            value={basis}
            onChange={(value) => setBasis(value === 'net' ? 'net' : 'gun')}
          >
            <Stack gap={6} mt={4}>
              <Radio value="gun" label={t('race.basis.gun')} />
              <Radio value="net" label={t('race.basis.net')} description={t('race.basis.netHelp')} />
            </Stack>
          </Radio.Group>
        )}
        {saving.isError && <Failure error={saving.error} />}
        <Group>
          <Button type="submit" loading={saving.isPending}>
            {t('action.save')}
          </Button>
          {race_starts_at !== null && (
            <Text size="sm" c="dimmed">
              {t('race.startsAt', { time: format.dateTime(race_starts_at) })}
            </Text>
          )}
        </Group>
      </Stack>
    </form>
  )
}
