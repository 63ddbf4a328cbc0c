import { Alert, Text } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import { addressProblem } from './address-problem.ts'

type AddressWarningProps = {
  address: string
  /** The setting that determines the address. */
  setting?: 'BASE_URL' | 'PUBLIC_URL'
}

/** The yellow of the title would be too pale on the ground of the alert (WCAG 1.4.3). */
const BLACK_TITLE = { title: { color: 'var(--mantine-color-text)' } }

/** Warns, next to an address or its QR code, that no phone can use it, and says which setting to change. */
export function AddressWarning({ address, setting = 'BASE_URL' }: AddressWarningProps) {
  const { t } = useTranslation()
  const problem = addressProblem(address)
  if (problem === undefined) return null
  return (
    <Alert color="yellow" icon={<TriangleAlert aria-hidden />} title={t(`address.${problem}`)} styles={BLACK_TITLE}>
      <Text size="sm">
        <Trans i18nKey={`address.${problem}Help`} values={{ setting }} components={{ code: <code /> }} />
      </Text>
    </Alert>
  )
}
