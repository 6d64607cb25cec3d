/** What a story is told by: who plays, and what is shown of it. */
import type { AsAgent } from '../../../../console/node/asAgent.ts';

export interface PlayLink {
  readonly href: string;
  readonly text: string;
}

/** One exchange: what the agent or the merchant sent, and what came back. */
export interface PlayStep {
  readonly title: string;
  readonly tone: 'good' | 'bad' | 'plain';
  readonly sent: unknown;
  readonly answered: unknown;
  readonly link?: PlayLink;
}

export interface End {
  /** Whether it went as the story says; another policy than the sandbox's first one may lead elsewhere. */
  readonly isAsTold: boolean;
  readonly text: string;
  readonly link?: PlayLink;
}

export interface PlayStage {
  readonly agent: AsAgent;
  show(step: PlayStep): void;
  /** Says that a person has to decide. */
  wait(approvalId: string): void;
  /** Whether the user who played it has signed out. */
  isOver(): boolean;
}

export interface Story {
  readonly name: string;
  readonly title: string;
  readonly what: string;
  run(stage: PlayStage): Promise<End>;
}
