import { Group, NumberInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { DEFAULT_LOW_BATTERY_PERCENT, DEFAULT_NO_SIGNAL_AFTER_SEC } from '../../../src/tracks/domain/signal.ts'
import type { OperatorEvent } from '../api/events.ts'

/** The fields of an event's live view: minutes and per cent; empty for the default. */
export type WatchFields = {
  noSignalAfterMin: number | string
  lowBatteryPercent: number | string
  spectatorDelayMin: number | string
}

const MINUTES_OF_A_DAY = 1440

/** The inputs for when a runner counts as silent, a battery as low, and how much later spectators see everything. */
export function WatchFieldInputs<Values extends WatchFields>({ form }: { form: UseFormReturnType<Values> }) {
  const { t } = useTranslation()
  return (
    <>
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <NumberInput
          label={t('event.noSignalAfter')}
          description={t('event.noSignalAfterHelp')}
          placeholder={String(DEFAULT_NO_SIGNAL_AFTER_SEC / 60)}
          min={0.5}
          max={MINUTES_OF_A_DAY}
          decimalScale={2}
          allowNegative={false}
          miw={220}
          key={form.key('noSignalAfterMin')}
          {...form.getInputProps('noSignalAfterMin')}
        />
        <NumberInput
          label={t('event.lowBattery')}
          description={t('event.lowBatteryHelp')}
          placeholder={String(DEFAULT_LOW_BATTERY_PERCENT)}
          min={0}
          max={100}
          allowDecimal={false}
          allowNegative={false}
          miw={220}
          key={form.key('lowBatteryPercent')}
          {...form.getInputProps('lowBatteryPercent')}
        />
      </Group>
      <NumberInput
        label={t('event.spectatorDelay')}
        description={t('event.spectatorDelayHelp')}
        placeholder="0"
        min={0}
        max={MINUTES_OF_A_DAY}
        decimalScale={2}
        allowNegative={false}
        key={form.key('spectatorDelayMin')}
        {...form.getInputProps('spectatorDelayMin')}
      />
    </>
  )
}

/** Returns the fields of an event; empty where the default holds. */
export function watchFieldsOf(event: OperatorEvent): WatchFields {
  return {
    noSignalAfterMin: minutesOf(event.no_signal_after_sec),
    lowBatteryPercent: event.low_battery_percent ?? '',
    spectatorDelayMin: minutesOf(event.spectator_delay_sec),
  }
}

/** Converts the fields into members of a request's body. */
export function eventOfWatchFields({ noSignalAfterMin, lowBatteryPercent, spectatorDelayMin }: WatchFields) {
  return {
    no_signal_after_sec: secondsOf(noSignalAfterMin),
    low_battery_percent: lowBatteryPercent === '' ? null : Number(lowBatteryPercent),
    spectator_delay_sec: secondsOf(spectatorDelayMin),
  }
}

function minutesOf(sec: number | null): number | string {
  return sec === null ? '' : Math.round((sec / 60) * 100) / 100
}

function secondsOf(minutes: number | string): number | null {
  return minutes === '' ? null : Math.round(Number(minutes) * 60)
}
