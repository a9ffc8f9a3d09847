export interface ShownStage {
  id: string;
  name: string;
  emoji?: string;
}
