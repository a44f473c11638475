"""The memory that closed sites take."""

from thresher.bench.sites.cost import closing_cost


def test_made_up_sites_are_closed_and_weighed() -> None:
    rows = closing_cost([40, 400])
    assert [row.closed for row in rows] == [40, 400]
    assert 0 < rows[0].kilobytes < rows[1].kilobytes < rows[0].kilobytes + 400
