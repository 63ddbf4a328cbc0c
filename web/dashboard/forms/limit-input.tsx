import { NumberInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'

type LimitInputProps<Name extends string> = {
  form: Pick<UseFormReturnType<Record<Name, number | string>>, 'key' | 'getInputProps'>
  name: Name
  label: string
  /** The amount in use now, formatted. */
  current: string
  /** True if the limit cannot be changed by this operator. */
  isFixed?: boolean
}

/** A limit as a whole number; empty for none. It shows how much is in use. */
export function LimitInput<Name extends string>({
  form,
  name,
  label,
  current,
  isFixed = false,
}: LimitInputProps<Name>) {
  const { t } = useTranslation()
  return (
    <NumberInput
      label={label}
      description={t('event.limitHelp', { current })}
      min={0}
      max={1_000_000_000}
      allowDecimal={false}
      allowNegative={false}
      thousandSeparator=" "
      hideControls
      disabled={isFixed}
      key={form.key(name as never)}
      {...form.getInputProps(name as never)}
    />
  )
}

/** Returns the limit of an input; null if it is empty. */
export function limitOf(value: number | string): number | null {
  return value === '' ? null : Number(value)
}
