import { Alert, Code } from '@mantine/core'
import { CircleAlert } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import type { OperatorPublication } from '../../api/publications.ts'

type DamageAlertProps = { damage: NonNullable<OperatorPublication['damage']> }

/** Tells what is wrong with the stored files, which only those who run the server can repair. */
export function DamageAlert({ damage: { document, images } }: DamageAlertProps) {
  const { t } = useTranslation()
  return (
    <Alert color="red" icon={<CircleAlert aria-hidden />} title={t('damage.title')}>
      {document !== null && `${t(`damage.${document}`)} `}
      {images > 0 && `${t('damage.images', { count: images })} `}
      <Trans i18nKey="damage.help" components={{ code: <Code style={{ whiteSpace: 'nowrap' }} /> }} />
    </Alert>
  )
}
