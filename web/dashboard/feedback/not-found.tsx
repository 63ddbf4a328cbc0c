import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../ui/page-title.tsx'
import { ButtonLink } from '../navigation/links.tsx'
import { paths } from '../navigation/paths.ts'

/** Replaces the content of a page whose subject does not exist, or no longer does. */
export function NotFound() {
  const { t } = useTranslation()
  return (
    <Stack align="flex-start">
      <PageTitle title={t('notFound.title')} />
      <Text>{t('error.notFound')}</Text>
      <ButtonLink to={paths.home}>{t('notFound.home')}</ButtonLink>
    </Stack>
  )
}
