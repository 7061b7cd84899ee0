#![expect(clippy::unwrap_used, reason = "a test may fail")]

use proptest::prelude::*;

use super::*;

/// Directions that gather around some, as texts do around subjects: no two alike.
fn gathered(rows: usize, subjects: usize, dimension: usize, spread: f32) -> Vec<Vec<f32>> {
    let mut state = 1u64;
    let mut number = move || {
        // Knuth's generator (The Art of Computer Programming, volume 2, MMIX).
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    };
    let centres: Vec<Vec<f32>> =
        (0..subjects).map(|_| (0..dimension).map(|_| number()).collect()).collect();
    (0..rows)
        .map(|row| {
            let centre = &centres[row * 7 % subjects];
            unit(centre.iter().map(|value| value + spread * number()).collect())
        })
        .collect()
}

fn unit(vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    vector.into_iter().map(|value| value / length).collect()
}

fn table(rows: usize, subjects: usize, dimension: usize) -> VectorTable {
    VectorTable::from_f32(gathered(rows, subjects, dimension, 0.5), dimension).unwrap()
}

/// The `limit` nearest rows, looking into `looked_at` rows' bits and comparing the vectors of `compared`.
fn found(
    table: &VectorTable,
    (head, parts): &(Partitions, Vec<Partition>),
    question: &[f32],
    [looked_at, compared, limit]: [usize; 3],
) -> Vec<Hit> {
    let near = head.nearest(question, looked_at).unwrap();
    let near = near.iter().map(|place| &parts[*place as usize]);
    let hits = head.query(question).unwrap().search(near, compared, &|_| true);
    let query = table.query(question).unwrap();
    let exact = |hit: Hit| Hit { score: table.dot(&query, hit.id).unwrap(), ..hit };
    best(hits.into_iter().map(exact), limit)
}

#[test]
fn a_third_of_the_rows_and_bits_of_them_hold_nearly_all_of_the_nearest() {
    let table = table(4_000, 100, 64);
    let parts = partition(&table, 40).unwrap();
    let (mut common, mut wanted) = (0, 0);
    for row in (0..4_000).step_by(97) {
        // Beside a row, and not on it.
        let question = table.vector(row).unwrap();
        let beside = question.iter().zip([0.05, -0.05].iter().cycle()).map(|(a, b)| a + b);
        let question = unit(beside.collect());
        let exact = table.search(&question, 10, &|_| true).unwrap();
        let hits = found(&table, &parts, &question, [1_300, 100, 10]);
        common += exact.iter().filter(|hit| hits.contains(hit)).count();
        wanted += exact.len();
    }
    let recall = common as f64 / wanted as f64;
    assert!(recall > 0.95, "{recall}");
}

#[test]
fn bits_say_what_the_signs_of_the_turned_vectors_say() {
    let table = table(60, 6, 16);
    let (head, parts) = partition(&table, 1).unwrap();
    let question = table.vector(17).unwrap();
    let asked = QueryVector::new(&head.projection.apply(&question), 16).unwrap();
    let sum = |row: u32| -> i32 {
        let turned = head.projection.apply(&table.vector(row).unwrap());
        let signs = turned.iter().map(|&value| if value >= 0.0 { 1 } else { -1 });
        asked.values().iter().zip(signs).map(|(&value, sign)| i32::from(value) * sign).sum()
    };
    let hits = head.query(&question).unwrap().search(&parts, 60, &|_| true);
    assert_eq!(hits.len(), 60);
    for hit in hits {
        assert_eq!(hit.score, sum(hit.id) as f32, "{}", hit.id);
    }
}

#[test]
fn the_same_table_is_divided_in_the_same_way() {
    let table = table(500, 20, 16);
    assert_eq!(partition(&table, 12).unwrap(), partition(&table, 12).unwrap());
}

#[test]
fn a_table_that_is_too_small_for_directions_is_refused() {
    for (rows, dimension) in [(0, 8), (7, 8), (20, 4)] {
        let table = table(rows, 5, dimension);
        assert!(matches!(partition(&table, 2), Err(IndexError::Late { .. })), "{rows} {dimension}");
    }
}

#[test]
fn rows_that_are_all_alike_lie_together() {
    let row = unit((1..=8).map(|value| value as f32).collect());
    let table = VectorTable::from_f32(vec![row.clone(); 40], 8).unwrap();
    let parts = partition(&table, 4).unwrap();
    // Those without rows are not looked into.
    assert_eq!(parts.0.nearest(&row, 1_000).unwrap().len(), 1);
    let hits = found(&table, &parts, &row, [1_000, 40, 3]);
    assert_eq!(hits.iter().map(|hit| hit.id).collect::<Vec<_>>(), [0, 1, 2]);
}

#[test]
fn the_nearest_partition_is_looked_into_however_large() {
    let table = table(400, 4, 16);
    let (head, parts) = partition(&table, 4).unwrap();
    let near = head.nearest(&table.vector(3).unwrap(), 1).unwrap();
    assert_eq!(near.len(), 1);
    assert!(parts[near[0] as usize].rows().contains(&3));
}

#[test]
fn a_question_of_another_length_is_refused() {
    let (head, _) = partition(&table(100, 4, 16), 4).unwrap();
    assert!(matches!(head.query(&[1.0; 8]), Err(IndexError::Dimension { .. })));
    assert!(matches!(head.nearest(&[f32::NAN; 16], 9), Err(IndexError::NotFinite { .. })));
}

proptest! {
    #[test]
    fn all_partitions_together_are_the_table(
        rows in 8usize..200, count in 1usize..20, limit in 1usize..30, left_out in 0u32..200,
    ) {
        let table = table(rows, 9, 8);
        let (head, parts) = partition(&table, count).unwrap();
        let mut all: Vec<u32> = parts.iter().flat_map(|part| part.rows().to_vec()).collect();
        all.sort_unstable();
        prop_assert_eq!(all, (0..rows as u32).collect::<Vec<_>>());
        prop_assert_eq!(head.row_count(), rows);
        prop_assert!(parts.iter().all(|part| part.rows().is_sorted()));
        // Looked into whole and compared whole, they find what the scan finds.
        let question = table.vector(rows as u32 / 2).unwrap();
        let exact = table.search(&question, limit, &|_| true).unwrap();
        let whole = (head, parts);
        prop_assert_eq!(found(&table, &whole, &question, [rows, rows, limit]), exact);
        let keep = |row: u32| row != left_out;
        let hits = whole.0.query(&question).unwrap().search(&whole.1, rows, &keep);
        prop_assert!(hits.iter().all(|hit| hit.id != left_out));
        prop_assert_eq!(hits.len(), (0..rows as u32).filter(|row| keep(*row)).count());
    }

    #[test]
    fn what_is_written_is_read(rows in 8usize..60, count in 1usize..9) {
        let (head, parts) = partition(&table(rows, 5, 8), count).unwrap();
        prop_assert_eq!(&Partitions::decode(&head.encode()).unwrap(), &head);
        for (number, part) in (0..).zip(&parts) {
            prop_assert_eq!(&head.partition(number, &part.encode()).unwrap(), part);
        }
    }

    #[test]
    fn spoilt_bytes_are_an_error_or_a_whole_part(
        place in 0usize..600, byte in any::<u8>(), length in 0usize..600,
    ) {
        let (head, parts) = partition(&table(30, 5, 8), 3).unwrap();
        let spoilt = |mut bytes: Vec<u8>| {
            let at = place % bytes.len();
            bytes[at] = byte;
            bytes.truncate(length.max(4));
            bytes
        };
        // Whatever they say, nothing breaks down, and what is taken can be searched.
        if let Ok(part) = head.partition(0, &spoilt(parts[0].encode())) {
            prop_assert!(part.rows().iter().all(|row| (*row as usize) < head.row_count()));
            head.query(&[0.5; 8]).unwrap().search([&part], 5, &|_| true);
        }
        if let Ok(head) = Partitions::decode(&spoilt(head.encode())) {
            prop_assert_eq!(head.sizes.len(), head.centroids.len());
            head.nearest(&vec![0.5; head.dimension()], 10).unwrap();
            head.query(&vec![0.5; head.dimension()]).unwrap();
        }
    }
}
