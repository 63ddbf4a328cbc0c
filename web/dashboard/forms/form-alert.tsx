import { Alert } from '@mantine/core'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

/** Shows an error of a whole form, not of a single field. */
export function FormAlert({ children }: { children: ReactNode }) {
  return (
    <Alert color="red" icon={<CircleAlert aria-hidden />} role="alert" variant="light">
      {children}
    </Alert>
  )
}
