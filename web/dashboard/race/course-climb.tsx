import { Button, Group, NumberInput, Stack, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { raceAnswers } from '../api/query-client.ts'
import { Failure, notify } from '../components/feedback.tsx'
import { limitOf } from '../components/forms.tsx'
import { operatorUpdateRace } from '../generated/sdk.gen.ts'
import type { Race } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'

/** The climb of the course as its organiser states it, beside the estimated one. */
export function CourseClimb({ eventId, race }: { eventId: string; race: Race }) {
  const { t } = useTranslation()
  const format = useFormat()
  const client = useQueryClient()
  const { stated_climb_m, estimated_climb_m } = race
  const [meters, setMeters] = useState<string | number>(stated_climb_m ?? '')
  const saving = useMutation({
    mutationFn: () => operatorUpdateRace({ path: { id: eventId }, body: { stated_climb_m: limitOf(meters) } }),
    onSuccess: async () => {
      notify(t('action.saved'))
      await client.invalidateQueries(raceAnswers(eventId))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saving.mutate()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="xs">
        <Title order={3} size="h4">
          {t('race.climbTitle')}
        </Title>
        <NumberInput
          w={280}
          label={t('race.climbStated')}
          description={
            estimated_climb_m === null
              ? t('race.climbUnknown')
              : t('race.climbEstimated', { climb: format.meters(estimated_climb_m) })
          }
          min={0}
          max={100_000}
          allowDecimal={false}
          allowNegative={false}
          thousandSeparator=" "
          hideControls
          suffix=" m"
          value={meters}
          onChange={setMeters}
        />
        {saving.isError && <Failure error={saving.error} />}
        <Group>
          <Button type="submit" loading={saving.isPending}>
            {t('race.climbSave')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
