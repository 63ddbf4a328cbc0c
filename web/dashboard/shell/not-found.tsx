import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../ui/page-title.tsx'
import { paths } from '../paths.ts'
import { ButtonLink } from './links.tsx'
import { OutsidePage } from './outside-page.tsx'

/** At an address that no page has. */
export function UnknownPage() {
  return (
    <OutsidePage>
      <NotFound />
    </OutsidePage>
  )
}

/** In the place of something that there is not, or not any more. */
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
